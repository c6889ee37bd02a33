import { printSourceName } from '@stagecraft/core/run'
import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { sourceDialect } from './source-dialect.ts'

/**
 * The tables by their dotted names, as a request would name them: with the database where somebody stated it, and where
 * there are several.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for two tables of one name, which nobody could tell apart.
 */
export function nameTables(
  tables: readonly CatalogTable[],
  { dialect, statesDatabase = false }: Pick<Catalog, 'dialect' | 'statesDatabase'>,
): ReadonlyMap<string, CatalogTable> {
  const hasSeveral = new Set(tables.map(({ database }) => database)).size > 1
  const named = new Map<string, CatalogTable>()
  for (const table of tables) {
    const database = statesDatabase || hasSeveral ? table.database : undefined
    const place = { database, schema: table.schema, table: table.name }
    const name = printSourceName(place, sourceDialect(dialect))
    if (named.has(name)) throw twoOfOneName(name)
    named.set(name, table)
  }
  return named
}

function twoOfOneName(name: string): StagecraftError {
  const reason = `it has two tables that are called ${name}`
  const suggestion = 'state schema and database of both'
  return new StagecraftError('CONNECTION_FAILED', `cannot scan the catalog: ${reason}; ${suggestion}`, {
    details: { reason, suggestion },
  })
}
