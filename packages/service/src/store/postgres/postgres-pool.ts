import { StagecraftError } from '@stagecraft/spec'
import pg from 'pg'

export interface PostgresPoolOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** @default the first of the search path of the user. It is made when it is missing. */
  readonly schema?: string | undefined
  /** The most connections. @default 10 */
  readonly maxConnections?: number | undefined
  /** The time limit for a connection, in milliseconds. @default 5000 */
  readonly connectTimeoutMs?: number | undefined
}

/** Types that come as text or booleans otherwise: rows are to be those of SQLite. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.BOOL, (text: string) => (text === 't' ? 1 : 0)],
])

/** Connections that no statement, lock or silent server can hold for good, and whose break does not end the process. */
export function postgresPool(options: PostgresPoolOptions): pg.Pool {
  const { connectTimeoutMs = 5000, maxConnections = 10, schema, url } = options
  checkUrl(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    application_name: 'stagecraft',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    statement_timeout: 30_000,
    lock_timeout: 15_000,
    idle_in_transaction_session_timeout: 60_000,
    query_timeout: 40_000, // for a server that no longer answers at all
    types: { getTypeParser },
    ...(schema !== undefined && { options: `-c search_path=${checkSchema(schema)}` }),
  })
  // a connection that breaks tells its query; without a listener it would also end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Parser = (text: string) => unknown

function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  const standard: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser
  return PARSERS.get(oid) ?? standard(oid, format)
}

/** Here, because what is thrown for a wrong one elsewhere holds its password. */
function checkUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return
  const expected = 'postgres://user:password@host:5432/database'
  throw StagecraftError.invalid({ path: 'url', expected, received: 'another text' })
}

function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema
  const expected = 'at most 63 small letters, digits and _'
  throw StagecraftError.invalid({ path: 'schema', expected, received: JSON.stringify(schema) })
}
