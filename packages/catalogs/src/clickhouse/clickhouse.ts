import type { Catalog } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { connectionFailed, refused } from '../network/connection-failed.ts'
import { CLICKHOUSE } from '../network/servers.ts'
import { fetchOf } from '../network/tls-fetch.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { inlineValues, type Statement } from '../warehouse/statement.ts'
import { ClickhouseServer } from './server.ts'
import { SCHEMAS, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface ClickhouseOptions {
  /**
   * `clickhouse://user:password@host:8123/database`, over HTTP. Options: `secure=true` for HTTPS, which is
   * the default for the ports 443 and 8443; `sslrootcert`, `sslcert`, `sslkey` and `verify=false`; `auth=jwt`
   * if the password is a token; and limits such as `max_bytes_to_read=10000000000`. Without a database, all
   * databases are read.
   */
  readonly text: string
  /** Cancels opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests. @default the `fetch` of Node */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Internal databases of the engine, in any case. */
const SYSTEM = /^(?:system|information_schema|_temporary_and_external_tables)$/i

/**
 * Opens the catalog of a ClickHouse server, version 20.10 or later, over its HTTP interface.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the server does not answer or refuses; INVALID_REQUEST for
 * an invalid address.
 */
export async function clickhouse({ fetch, signal, text }: ClickhouseOptions): Promise<Catalog> {
  const address = parseAddress(text, CLICKHOUSE)
  const server = new ClickhouseServer(address, fetch ?? (await fetchOf(address)))
  const source = {
    dialect: 'clickhouse',
    database: undefined,
    defaultSchema: address.path[0],
    schemas: SCHEMAS,
    isSystem: (schema: string) => SYSTEM.test(schema),
    statements,
    toTables,
    run: (statement: Statement, stop: AbortSignal) =>
      server.query(inlineValues(statement, 'clickhouse'), stop).catch((error: unknown) => {
        stop.throwIfAborted()
        throw isTooOld(error, statement) ? refused(TOO_OLD, address) : connectionFailed(error, address)
      }),
    close: () => server.close(),
  } as const
  return openMetadata(source, signal)
}

const TOO_OLD = {
  reason: 'its system tables lack columns that ClickHouse has since version 20.10',
  check: 'its version with "select version()"; for an older one, export a list of columns',
} as const

/** Returns true if a system table has no such column (47 is UNKNOWN_IDENTIFIER). */
function isTooOld(error: unknown, { name }: Statement): boolean {
  const { code } = error as { readonly code?: unknown }
  return code === 'CLICKHOUSE_47' && (name === 'tables' || name === 'columns')
}
