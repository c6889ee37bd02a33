import { namedCatalog, type TableEntry } from '@stagecraft/catalogs'
import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { type ConnectionOf, findConnection } from '../connections/stored-connection.ts'
import type { ServiceContext } from '../context.ts'
import { chunksOf, fromJson } from '../store/rows.ts'
import type { ScanRow } from '../store/schema.ts'

/**
 * Returns the tables of a connection from its newest scan. Definitions are read on demand.
 *
 * @throws {StagecraftError} INVALID_REQUEST if it was never scanned, or if the project has no connection; NOT_FOUND for a
 * connection of another project.
 */
export async function scannedCatalog(context: ServiceContext, which: ConnectionOf): Promise<Catalog> {
  const { id } = await findConnection(context, which)
  const { dialect, states_database } = await newestScan(context, { ...which, connectionId: id })
  const entries = await storedEntries(context, id)
  return namedCatalog(entries, {
    dialect: dialect ?? undefined,
    origin: 'the newest scan',
    statesDatabase: states_database === 1,
    load: (wanted) => storedTables(context, wanted, id),
  })
}

/**
 * Reads the newest completed scan of a connection.
 *
 * @throws {StagecraftError} INVALID_REQUEST if there is no scan.
 */
export async function newestScan(
  { store }: Pick<ServiceContext, 'store'>,
  { connectionId, projectId }: { readonly projectId: string; readonly connectionId: string },
): Promise<Pick<ScanRow, 'id' | 'dialect' | 'states_database'>> {
  const scan = await store.db
    .selectFrom('scans')
    .select(['id', 'dialect', 'states_database'])
    .where('connection_id', '=', connectionId)
    .where('project_id', '=', projectId)
    .where('state', '=', 'completed')
    .orderBy('finished_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (scan) return scan
  const suggestion = `scan it with POST /v1/projects/${projectId}/scans`
  const expected = 'a connection that was scanned'
  throw StagecraftError.invalid(
    [{ path: 'connectionId', expected, received: `${connectionId}, which was not` }],
    {
      suggestion,
    },
  )
}

/** The place of a stored table and its stored name. */
interface StoredEntry extends TableEntry {
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
async function storedTables(
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
