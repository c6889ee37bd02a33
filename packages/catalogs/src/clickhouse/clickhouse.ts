import type { Catalog } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { CLICKHOUSE } from '../network/servers.ts'
import { fetchOf } from '../network/tls-fetch.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { inlineValues, type Statement } from '../warehouse/statement.ts'
import { ClickhouseServer } from './server.ts'
import { SCHEMAS, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface ClickhouseOptions {
  /**
   * `clickhouse://user:password@host:8123/database`, over HTTP. Options: `secure=true` for HTTPS, which the ports 443 and 8443
   * mean too; `sslrootcert`, `sslcert`, `sslkey` and `verify=false`; `auth=jwt` where the password is a token; and limits such
   * as `max_bytes_to_read=10000000000`. Without a database, every one is read.
   */
  readonly text: string
  /** Stops the opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests. @default the one of Node */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** Databases of the engine, by names that differ in case. */
const SYSTEM = /^(?:system|information_schema|_temporary_and_external_tables)$/i

/**
 * The catalog of a ClickHouse server, from version 20.10 on, over its HTTP interface.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the server does not answer or refuses; INVALID_REQUEST for an invalid
 * address.
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
        throw connectionFailed(error, address)
      }),
    close: () => server.close(),
  } as const
  return openMetadata(source, signal)
}
