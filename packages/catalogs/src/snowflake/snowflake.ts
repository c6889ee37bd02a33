import { type Catalog, StagecraftError } from '@stagecraft/spec'
import type { SnowflakeDriver } from './driver-types.ts'
import { parseAddress } from '../network/address.ts'
import { SNOWFLAKE } from '../network/servers.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { authorize } from './credentials.ts'
import { type DriverSession, driverSession } from './driver.ts'
import { snowflakeFailed } from './failure.ts'
import { withFallback } from './fallback.ts'
import { accountHost } from './hosts.ts'
import { storedName } from './names.ts'
import { sqlApi } from './sql-api.ts'
import { schemaStatement, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface SnowflakeOptions {
  /** `snowflake://user@account/DATABASE/SCHEMA?warehouse=…`, with the options of docs/reference/snowflake.md. */
  readonly text: string
  /** Cancels opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /**
   * Sends the requests of the SQL API, and limits the driver to the hosts that it allows. @default the global
   * `fetch`
   */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** The driver, for the methods of signing in that need it. @default the package snowflake-sdk */
  readonly driver?: SnowflakeDriver | undefined
}

/** The time limit of a statement; information_schema of a large account takes minutes. */
const STATEMENT_SECONDS = 300

/**
 * Opens the catalog of a Snowflake database over its SQL API: with a key pair, a programmatic access token or
 * OAuth. Other methods of signing in need the package snowflake-sdk.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if it does not answer or refuses; INVALID_REQUEST for an
 * address without a database, for a key that cannot be read, or if the package is needed and not installed.
 */
export async function snowflake({ driver, fetch, signal, text }: SnowflakeOptions): Promise<Catalog> {
  const parsed = parseAddress(text, SNOWFLAKE)
  const address = { ...parsed, host: accountHost(parsed) }
  const [database, schema] = address.path.map(storedName)
  if (database === undefined)
    throw StagecraftError.invalid({ path: 'catalog', expected: SNOWFLAKE.form, received: 'no database' })
  const failed = (error: unknown): never => {
    throw snowflakeFailed(error, address)
  }
  const authorized = await authorize(address, fetch)
  const session: DriverSession = authorized
    ? {
        run: sqlApi(address, { authorize: authorized, fetch, seconds: STATEMENT_SECONDS }),
        close: async () => {},
      }
    : await driverSession(address, { driver, fetch, seconds: STATEMENT_SECONDS }).catch(failed)
  const run = withFallback(session.run, database)
  return openMetadata(
    {
      dialect: 'snowflake',
      database,
      defaultSchema: schema,
      schemas: schemaStatement(database),
      statements,
      toTables,
      run: (statement, stop) => run(statement, stop).catch(failed),
      close: session.close,
    },
    signal,
  )
}
