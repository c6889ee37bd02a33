import { StagecraftError } from '@stagecraft/spec'
import { Kysely, type RawBuilder, type Transaction, sql } from 'kysely'
import { setTimeout as delay } from 'node:timers/promises'
import { isConflict, isLostConnection } from './errors/driver-error.ts'
import { connectionFailed, storeFailure } from './errors/store-failure.ts'
import { type Migrations, migrate } from './migrate.ts'
import type { PostgresPoolOptions } from './postgres/postgres-dialect.ts'
import type { Database } from './schema.ts'
import { backupFile, sqliteFile } from './sqlite/sqlite-file.ts'
import { sqliteDialect } from './sqlite/sqlite-driver.ts'
import type { Engine, Store } from './store.ts'
import { type TransactionGuard, transactionGuard } from './transaction-guard.ts'

/**
 * The database's clock in milliseconds since 1970: one clock for all processes that share a store.
 * On PostgreSQL it runs on within a transaction.
 *
 * @param offset is added to it, in milliseconds: tests live through days that way.
 */
function nowMs(engine: Engine, offset = 0): RawBuilder<number> {
  const clock =
    engine === 'sqlite'
      ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
      : sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
  return offset === 0 ? clock : sql<number>`(${clock} + ${sql.lit(Math.round(offset))})`
}

interface RetryOptions {
  readonly isWorthRetrying: (error: unknown) => boolean
  /** The maximum number of attempts. */
  readonly attempts: number
  /**
   * The pause before the second attempt in milliseconds; it doubles, up to half a second. A random part of it is used.
   */
  readonly delayMs: number
}

/** Returns the result of the first attempt that succeeds, or throws the last error. */
async function retry<Result>(
  work: () => Promise<Result>,
  { attempts, delayMs, isWorthRetrying }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isWorthRetrying(error)) throw error
      // The random part keeps two conflicting transactions from meeting again.
      await delay(Math.min(500, delayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2))
    }
  }
}

interface CommonOptions {
  /** Applied before the store is returned; see `migrate`. */
  readonly migrations: Migrations
  /** Milliseconds to add to the database's clock, for tests. @default none */
  readonly clockOffset?: () => number
}

/** The file of an embedded store, or the address of a PostgreSQL server, version 14 or newer. */
export type StoreOptions = CommonOptions & ({ readonly file: string } | PostgresPoolOptions)

const ATTEMPTS = { attempts: 8, delayMs: 10 }
const OLDEST_POSTGRES = 14

/**
 * Opens the store and brings its tables up to date. Any number of processes may open the same one at once.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when it cannot be reached, is too old or was changed by a newer version;
 * INVALID_REQUEST for an invalid address.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = await ('file' in options ? embedded(options) : shared(options))
  try {
    if (store.engine === 'postgres') await refuseOldPostgres(store)
    await migrate(store, { ...options, schema: 'schema' in options ? options.schema : undefined })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function embedded(options: CommonOptions & { readonly file: string }): Promise<Store> {
  const guard = transactionGuard()
  const db = new Kysely<Database>({ dialect: sqliteDialect(await sqliteFile(options.file), guard) })
  const backup = (file: string): Promise<void> => backupFile(options.file, file)
  return createStore({ db, engine: 'sqlite', guard, options, backup })
}

/** The driver is loaded on demand. */
async function shared(options: CommonOptions & PostgresPoolOptions): Promise<Store> {
  const { postgresDialect } = await import('./postgres/postgres-dialect.ts')
  const { postgresPool } = await import('./postgres/postgres-dialect.ts')
  const guard = transactionGuard()
  const db = new Kysely<Database>({ dialect: postgresDialect(postgresPool(options), guard) })
  const backup = (): Promise<void> => Promise.reject(noBackup())
  return createStore({ db, engine: 'postgres', guard, options, backup })
}

interface Parts {
  readonly db: Kysely<Database>
  readonly engine: Engine
  readonly guard: TransactionGuard
  readonly options: CommonOptions
  readonly backup: (file: string) => Promise<void>
}

function createStore({ backup, db, engine, guard, options }: Parts): Store {
  const clock = () => nowMs(engine, options.clockOffset?.())
  return {
    db,
    engine,
    backup,
    transaction: (work) => transact(db, guard, work),
    nowMs: clock,
    nowOnce: () => sql<number>`(select ${clock()})`,
    now: async (transaction) => {
      const handle = (transaction ?? db) as Kysely<unknown>
      return (await handle.selectNoFrom(clock().as('now')).executeTakeFirstOrThrow()).now
    },
    close: () => db.destroy(),
  }
}

async function transact<Result>(
  db: Kysely<Database>,
  guard: TransactionGuard,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> {
  guard.assertOutside()
  let isCommitting = false
  const attempt = (): Promise<Result> => {
    isCommitting = false
    return db.transaction().execute(async (transaction) => {
      const result = await guard.run(() => work(transaction))
      isCommitting = true
      return result
    })
  }
  const isWorthRetrying = (error: unknown): boolean =>
    isConflict(error) || (!isCommitting && isLostConnection(error))
  return retry(attempt, { ...ATTEMPTS, isWorthRetrying }).catch((error: unknown) => {
    throw storeFailure(error)
  })
}

async function refuseOldPostgres({ db }: Store): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int / 10000 as version`.execute(db)
  const version = rows[0]?.version ?? 0
  if (version < OLDEST_POSTGRES)
    throw connectionFailed(`it is PostgreSQL ${version}; ${OLDEST_POSTGRES} or newer is needed`)
}

function noBackup(): StagecraftError {
  const suggestion = 'pg_dump --format=custom'
  return new StagecraftError(
    'INVALID_REQUEST',
    `expected an embedded store, got one in PostgreSQL, which has its own tools; use ${suggestion}`,
    { details: { suggestion } },
  )
}

export interface CheckStoreOptions {
  /** The time limit of the store in milliseconds. @default 2000 */
  readonly deadlineMs?: number
}

/**
 * Resolves if the store responds, for a readiness probe.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when it does not, or not in time.
 */
export async function checkStore(store: Store, { deadlineMs = 2000 }: CheckStoreOptions = {}): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(connectionFailed(`it did not respond within ${deadlineMs} ms`)),
      deadlineMs,
    )
  })
  try {
    await Promise.race([sql`select 1`.execute(store.db), late])
  } finally {
    clearTimeout(timer)
  }
}
