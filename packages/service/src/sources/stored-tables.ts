import type { TableEntry } from '@stagecraft/catalogs'
import type { CatalogTable } from '@stagecraft/spec'
import type { ServiceContext } from '../context.ts'
import { chunksOf } from '../scans/chunks-of.ts'
import { fromJson } from '../store/json.ts'

/** The place of a stored table, and the name that it is stored by. */
export interface StoredEntry extends TableEntry {
  readonly dottedName: string
}

/** Reads the places of a connection's stored tables. */
export async function storedEntries(
  { store }: Pick<ServiceContext, 'store'>,
  connectionId: string,
): Promise<readonly StoredEntry[]> {
  const rows = await store.db
    .selectFrom('source_tables')
    .select(['name', 'database_name', 'schema_name', 'table_name'])
    .where('connection_id', '=', connectionId)
    .execute()
  return rows.map((row) => ({
    dottedName: row.name,
    name: row.table_name,
    ...(row.database_name !== null && { database: row.database_name }),
    ...(row.schema_name !== null && { schema: row.schema_name }),
  }))
}

/** The definitions of stored tables. */
export async function storedTables(
  { store }: Pick<ServiceContext, 'store'>,
  entries: readonly StoredEntry[],
  connectionId: string,
): Promise<readonly CatalogTable[]> {
  const names = entries.map(({ dottedName }) => dottedName)
  const tables: CatalogTable[] = []
  for (const chunk of chunksOf(names)) {
    const rows = await store.db
      .selectFrom('source_tables')
      .select('definition')
      .where('connection_id', '=', connectionId)
      .where('name', 'in', chunk)
      .execute()
    for (const { definition } of rows) tables.push(fromJson(definition) as CatalogTable)
  }
  return tables
}
