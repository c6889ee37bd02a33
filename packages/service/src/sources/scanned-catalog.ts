import { namedCatalog } from '@stagecraft/catalogs'
import type { Catalog } from '@stagecraft/spec'
import { type ConnectionOf, findConnection } from '../connections/find-connection.ts'
import type { ServiceContext } from '../context.ts'
import { newestScan } from './newest-scan.ts'
import { storedEntries, storedTables } from './stored-tables.ts'

/**
 * The tables of a connection as its newest scan found them. Definitions are read when somebody asks for them.
 *
 * @throws {StagecraftError} INVALID_REQUEST when it was never scanned, or the project has no connection; NOT_FOUND for a
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
