import type { EditedItem, ReadTable, StoredName } from '@stagecraft/core/run'
import type { Lock, ProjectIndex } from '@stagecraft/dbt'
import { type Column, StagecraftError, type Table, UNKNOWN_TYPE } from '@stagecraft/spec'

/** The sources of columns of raw tables. */
export interface KnownTables {
  readonly lock: Lock
  /** The content of the dbt project; undefined without one. */
  readonly index: ProjectIndex | undefined
  /** Prints a name as in the project's SQL. */
  readonly printName: (name: StoredName) => string
  /** Reads a table by its dotted name; undefined without a catalog. @default no catalog */
  readonly readTable?: ((source: string) => Promise<ReadTable | undefined>) | undefined
  /** The hint on how to connect the warehouse. */
  readonly suggestion: string
}

/**
 * Finds the raw table of a staging model in the catalog or, without one, in the lock or in YAML.
 *
 * @throws {StagecraftError} INVALID_SOURCE for an unknown table.
 */
export async function findTable(source: string, known: KnownTables): Promise<EditedItem> {
  const { lock, readTable, suggestion } = known
  const name = source.replace(/^source\./, '')
  const request = { type: 'staging' as const, options: {} }
  const locked = [...lock.values()].find(
    ({ item, source: declared }) =>
      item.request.type === 'staging' &&
      (item.request.source === name || (declared && `${declared.name}.${declared.table}` === name)),
  )
  const declared = declaredTable(name, known)
  const found = await readTable?.(locked?.item.request.source ?? declared?.source ?? name)
  if (found) return { request: { ...request, source: found.name }, table: found.table }
  if (locked) return locked.item
  if (declared) return { request: { ...request, source: declared.source }, table: declared.table }
  throw unknownTable(source, suggestion)
}

/** Returns a table as YAML describes it; undefined without columns. */
function declaredTable(
  name: string,
  { index, printName }: KnownTables,
): { readonly source: string; readonly table: Table } | undefined {
  for (const { database, name: source, schema = source, tables } of index?.sources ?? [])
    for (const { columns, description, identifier, name: table } of tables) {
      const dotted = printName({ database, schema, table: identifier })
      const isIt = [`${source}.${table}`, dotted, `${schema}.${identifier}`].includes(name)
      if (!isIt || columns.length === 0) continue
      return {
        source: dotted,
        table: {
          ...(database !== undefined && { database }),
          schema,
          name: identifier,
          ...(description !== undefined && { comment: description }),
          columns: columns.map((column): Column => ({
            name: column.name,
            type: column.dataType ?? UNKNOWN_TYPE,
            ...(column.description !== undefined && { comment: column.description }),
          })),
        },
      }
    }
  return undefined
}

function unknownTable(source: string, suggestion: string): StagecraftError {
  return new StagecraftError(
    'INVALID_SOURCE',
    `the columns of ${JSON.stringify(source.slice(0, 100))} are not known: neither stagecraft.lock nor the YAML of sources lists them`,
    { details: { suggestion } },
  )
}
