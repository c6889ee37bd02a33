import type { EditedItem, ReadTable, StoredName } from '@stagecraft/core/run'
import type { Lock, ProjectIndex } from '@stagecraft/dbt'
import { type Column, StagecraftError, type Table, UNKNOWN_TYPE } from '@stagecraft/spec'

/** Where the columns of raw tables are known from. */
export interface KnownTables {
  readonly lock: Lock
  /** The content of the dbt project; undefined without one. */
  readonly index: ProjectIndex | undefined
  /** Prints a name as SQL of the project has it. */
  readonly printName: (name: StoredName) => string
  /** Reads a table by its dotted name; undefined where no catalog is at hand. @default none is */
  readonly readTable?: ((source: string) => Promise<ReadTable | undefined>) | undefined
  /** Tells a person how to have the warehouse read. */
  readonly suggestion: string
}

/**
 * Finds the raw table of a staging model: in the catalog where there is one; else as the lock has it, or as YAML describes it.
 *
 * @throws {StagecraftError} INVALID_SOURCE for a table that none of them knows.
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

/** A table as YAML describes it; undefined for one without columns there. */
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
    `the columns of ${JSON.stringify(source.slice(0, 100))} are not known: neither stagecraft.lock nor the YAML of sources has them`,
    { details: { suggestion } },
  )
}
