import { type Catalog, StagecraftError } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { TRINO } from '../network/servers.ts'
import { fetchOf } from '../network/tls-fetch.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { inlineValues, type Statement } from '../warehouse/statement.ts'
import { TrinoServer } from './server.ts'
import { schemasOf, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface TrinoOptions {
  /**
   * `trino://user:password@host:8443/catalog/schema`. Without a schema, all schemas of the catalog are read.
   * Options: `secure=true` for HTTPS, which is the default for the ports 443 and 8443; `auth=jwt` if the
   * password is a token; `sslrootcert`, `sslcert`, `sslkey` and `verify=false`; `impersonation_user`,
   * `client_tags`, `timezone`; and `roles`, `session_properties` and `http_headers` as
   * `name:value;name:value`.
   */
  readonly text: string
  /** Cancels opening, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Sends the requests. @default the `fetch` of Node */
  readonly fetch?: typeof globalThis.fetch | undefined
}

/**
 * Opens one catalog of a Trino or Starburst cluster, over its client protocol.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the coordinator does not answer or refuses; INVALID_REQUEST
 * for an invalid address, or an address without a catalog.
 */
export async function trino({ fetch, signal, text }: TrinoOptions): Promise<Catalog> {
  const address = parseAddress(text, TRINO)
  const [database, defaultSchema] = address.path
  if (database === undefined)
    throw StagecraftError.invalid({
      path: 'catalog',
      expected: TRINO.form,
      received: 'an address without a catalog',
    })
  const server = new TrinoServer(address, { fetch: fetch ?? (await fetchOf(address)) })
  const source = {
    dialect: 'trino',
    database,
    defaultSchema,
    schemas: schemasOf(database),
    statements,
    toTables,
    run: (statement: Statement, stop: AbortSignal) =>
      server.query(inlineValues(statement, 'trino'), stop).catch((error: unknown) => {
        stop.throwIfAborted()
        throw connectionFailed(error, address)
      }),
    close: () => server.close(),
  } as const
  return openMetadata(source, signal)
}
