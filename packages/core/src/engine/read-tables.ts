import type { Catalog, CatalogTable, NamePart, TableSelector, Warning } from '@stagecraft/spec'
import type { Dialect } from '../dialects/dialect.ts'
import { isSystemTable } from '../loaders/detect.ts'
import { parseSelector } from '../source-name/parse.ts'
import { printSourceName } from '../source-name/print.ts'

/** A table and the name it was asked by, spelled as stored. */
export interface ReadTable {
  readonly name: string
  readonly table: CatalogTable
}

export interface ReadTables {
  readonly tables: readonly ReadTable[]
  /** Tables that whoever asks for a whole schema does not mean. */
  readonly warnings: readonly Warning[]
}

/**
 * Reads every table that the texts name, each once. Tables of one schema are read together, so that the
 * number of queries grows with the schemas, not with the tables.
 *
 * @param texts Source names and `schema.*`; empty for the whole catalog.
 * @throws {StagecraftError} INVALID_SOURCE for the first name that the catalog does not have.
 */
export async function readTables(
  catalog: Catalog,
  texts: readonly string[],
  dialect: Dialect,
): Promise<ReadTables> {
  const selectors =
    texts.length === 0 ? [{}] : mergeSelectors(texts.map((text) => parseSelector(text, dialect)))
  const found = new Map<string, CatalogTable>()
  const warnings: Warning[] = []
  for (const selector of selectors) {
    const tables = await catalog.tables(selector)
    await assertComplete(catalog, selector, tables)
    for (const table of tables) {
      const database = selector.database && (table.database ?? selector.database.text)
      const name = printSourceName({ database, schema: table.schema, table: table.name }, dialect)
      const reason = reasonToLeaveOut(table, selector)
      if (reason === undefined) found.set(name, table)
      else warnings.push({ code: 'TABLE_LEFT_OUT', message: `${name} is left out: ${reason}` })
    }
  }
  return { tables: [...found].map(([name, table]) => ({ name, table })), warnings }
}

/** Only where the table was not asked for by name. */
function reasonToLeaveOut(table: CatalogTable, { tables: asked }: TableSelector): string | undefined {
  if (asked?.some((part) => isNamed(table, part))) return undefined
  if (table.columns.length === 0) return 'it has no columns'
  return isSystemTable(table.name) ? 'its loader keeps it for itself' : undefined
}

/** One selector per schema; where somebody asked for all of its tables, that and what was asked by name. */
function mergeSelectors(selectors: readonly TableSelector[]): readonly TableSelector[] {
  const bySchema = Map.groupBy(selectors, ({ database, schema }) => JSON.stringify([database, schema]))
  return [...bySchema.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { tables: _, ...place } = first
    const named = group.flatMap(({ tables }) => tables ?? [])
    const isWhole = group.some(({ tables }) => tables === undefined)
    return [...(isWhole ? [place] : []), ...(named.length > 0 ? [{ ...place, tables: named }] : [])]
  })
}

/** Asking for a missing table by itself gives the error that names its neighbours. */
async function assertComplete(
  catalog: Catalog,
  { tables: wanted = [], ...place }: TableSelector,
  found: readonly CatalogTable[],
): Promise<void> {
  const missing = wanted.find((part) => !found.some((table) => isNamed(table, part)))
  if (missing) await catalog.describe({ ...place, table: missing })
}

function isNamed(table: CatalogTable, part: NamePart): boolean {
  if (table.name === part.text || table.model === part.text) return true
  return !part.quoted && table.name.toLowerCase() === part.text.toLowerCase()
}
