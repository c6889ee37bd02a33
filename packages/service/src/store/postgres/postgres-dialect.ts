import pg from 'pg'
import {
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  PostgresIntrospector,
  type TableMetadata,
  sql,
} from 'kysely'
import { storeFailure } from '../errors/store-failure.ts'
import type { TransactionGuard } from '../transaction-guard.ts'
import { StagecraftError } from '@stagecraft/spec'

/**
 * Finds tables by name in the schema of the store, which is enough for migrations. Kysely's own version reads the
 * columns of every schema, and fails if a table is dropped meanwhile.
 */
function tableNames(db: Kysely<never>): DatabaseIntrospector {
  const standard = new PostgresIntrospector(db)
  return {
    getSchemas: () => standard.getSchemas(),
    getTables: async () => {
      const { rows } = await sql<{ schema: string; name: string }>`
        select schemaname as schema, tablename as name from pg_tables where schemaname = current_schema()`.execute(
        db,
      )
      return rows.map((row): TableMetadata => ({ ...row, isView: false, isForeign: false, columns: [] }))
    },
  }
}

/** Kysely's dialect with our errors and the guard, and without its lock for migrations. */
export function postgresDialect(pool: pg.Pool, guard: TransactionGuard): Dialect {
  const dialect = new PostgresDialect({ pool })
  return {
    createAdapter: () => {
      const adapter = new PostgresAdapter()
      // `migrate` holds a lock of its transaction. Kysely's lock would remain on the connection if a migration fails.
      return Object.assign(adapter, {
        acquireMigrationLock: async () => {},
        releaseMigrationLock: async () => {},
      })
    },
    createDriver: () => guarded(new PostgresDriver({ pool }), guard),
    createIntrospector: tableNames,
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

function guarded(driver: PostgresDriver, guard: TransactionGuard): Driver {
  const wrapped = new WeakSet<DatabaseConnection>()
  const acquire = driver.acquireConnection.bind(driver)
  const rollback = driver.rollbackTransaction.bind(driver)
  return Object.assign(driver, {
    acquireConnection: async () => {
      guard.assertOutside()
      const connection = await acquire().catch(rethrow)
      if (!wrapped.has(connection)) translateErrors(connection)
      wrapped.add(connection)
      return connection
    },
    // Kysely then closes the connection, which rolls back. The original error is more useful than this one.
    rollbackTransaction: (connection: DatabaseConnection) =>
      rollback(connection as Parameters<typeof rollback>[0]).catch(() => {}),
  })
}

function translateErrors(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = (query, options) => execute<never>(query, options).catch(rethrow)
}

function rethrow(error: unknown): never {
  throw storeFailure(error)
}

export interface PostgresPoolOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: string
  /** @default the first schema of the user's search path. It is created if it does not exist. */
  readonly schema?: string | undefined
  /** The maximum number of connections. @default 10 */
  readonly maxConnections?: number | undefined
  /** The time limit for a connection, in milliseconds. @default 5000 */
  readonly connectTimeoutMs?: number | undefined
}

/** Types that pg returns as text or booleans by default. Rows must equal those of SQLite. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, Number],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.BOOL, (text: string) => (text === 't' ? 1 : 0)],
])

/**
 * Connections that no statement, lock or silent server can block forever, and that may break without ending the
 * process.
 */
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
    query_timeout: 40_000, // For a server that does not respond at all.
    types: { getTypeParser },
    ...(schema !== undefined && { options: `-c search_path=${checkSchema(schema)}` }),
  })
  // A broken connection fails its query. Without a listener it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

type Parser = (text: string) => unknown

function getTypeParser(oid: number, format?: 'text' | 'binary'): Parser {
  const standard: (oid: number, format?: 'text' | 'binary') => Parser = pg.types.getTypeParser
  return PARSERS.get(oid) ?? standard(oid, format)
}

/** Checked here, because errors thrown elsewhere would contain the password. */
function checkUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(?:ql)?:$/.test(new URL(url).protocol)) return
  const expected = 'postgres://user:password@host:5432/database'
  throw StagecraftError.invalid({ path: 'url', expected, received: 'something else' })
}

function checkSchema(schema: string): string {
  if (/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) return schema
  const expected = 'at most 63 small letters, digits and _'
  throw StagecraftError.invalid({ path: 'schema', expected, received: JSON.stringify(schema) })
}
