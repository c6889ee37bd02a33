import type { Catalog, CatalogTable, NamePart, TableSelector } from '@stagecraft/spec'
import type { Dialect } from '../dialects/dialect.ts'
import { parseSelector } from '../source-name/parse.ts'
import { printSourceName } from '../source-name/print.ts'

/** A table and the name it was asked by, spelled as stored. */
export interface ReadTable {
  readonly name: string
  readonly table: CatalogTable
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
): Promise<readonly ReadTable[]> {
  const selectors =
    texts.length === 0 ? [{}] : mergeSelectors(texts.map((text) => parseSelector(text, dialect)))
  const found = new Map<string, CatalogTable>()
  for (const selector of selectors) {
    const tables = await catalog.tables(selector)
    await assertComplete(catalog, selector, tables)
    for (const table of tables) {
      const database = selector.database && (table.database ?? selector.database.text)
      found.set(printSourceName({ database, schema: table.schema, table: table.name }, dialect), table)
    }
  }
  return [...found].map(([name, table]) => ({ name, table }))
}

/** One selector per schema: all of its tables when somebody asked for all. */
function mergeSelectors(selectors: readonly TableSelector[]): readonly TableSelector[] {
  const bySchema = Map.groupBy(selectors, ({ database, schema }) => JSON.stringify([database, schema]))
  return [...bySchema.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { tables: _, ...place } = first
    const isWhole = group.some(({ tables }) => tables === undefined)
    return [isWhole ? place : { ...place, tables: group.flatMap(({ tables }) => tables ?? []) }]
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
