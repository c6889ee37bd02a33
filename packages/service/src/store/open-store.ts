import { StagecraftError } from '@stagecraft/spec'
import { Kysely, sql, type Transaction } from 'kysely'
import { isConflict, isLostConnection } from './errors/driver-error.ts'
import { connectionFailed, storeFailure } from './errors/store-failure.ts'
import { migrate, type Migrations } from './migrate.ts'
import { nowMs } from './now-ms.ts'
import type { PostgresPoolOptions } from './postgres/postgres-pool.ts'
import { retry } from './retry.ts'
import { backupFile } from './sqlite/backup-file.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { sqliteFile } from './sqlite/sqlite-file.ts'
import type { Database } from './schema.ts'
import type { Engine, Store } from './store.ts'
import { transactionGuard, type TransactionGuard } from './transaction-guard.ts'

interface CommonOptions {
  /** Applied before the store is given out; see `migrate`. */
  readonly migrations: Migrations
  /** Milliseconds that are added to the database's clock whenever it is read, for tests. @default none */
  readonly clockOffset?: () => number
}

/** The file of an embedded store, or the address of a PostgreSQL from version 14 on. */
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

/** The driver is loaded where it is needed. */
async function shared(options: CommonOptions & PostgresPoolOptions): Promise<Store> {
  const { postgresDialect } = await import('./postgres/postgres-dialect.ts')
  const { postgresPool } = await import('./postgres/postgres-pool.ts')
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
