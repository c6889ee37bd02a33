import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { connectionFailed } from './errors/store-failure.ts'
import type { Store } from './store.ts'

/** Migrations by name, applied in the order of their names; `0001_start` first. */
export type Migrations = Readonly<Record<string, Migration>>

const TABLE = 'stagecraft_migration'

export interface MigrateOptions {
  readonly migrations: Migrations
  /** The PostgreSQL schema; created if it does not exist. */
  readonly schema?: string | undefined
}

/**
 * Brings the tables up to date, all in one transaction: a migration that fails leaves nothing behind. A second
 * process waits for the first and finds the work done.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a store that a newer version has changed.
 */
export async function migrate(store: Store, options: MigrateOptions): Promise<void> {
  await store.transaction(async (transaction) => {
    // Migrations create the tables that the type describes.
    const db = transaction as Transaction<unknown>
    const migrationTableSchema =
      store.engine === 'postgres' ? await preparePostgres(db, options.schema) : undefined
    const applied = await readApplied(db, store.engine)
    refuseNewer(applied, options.migrations)
    // The usual start has nothing to migrate, so Kysely need not search the whole catalog.
    if (applied.length === Object.keys(options.migrations).length) return
    const migrator = new Migrator({
      db,
      provider: { getMigrations: async () => ({ ...options.migrations }) },
      migrationTableName: TABLE,
      migrationLockTableName: `${TABLE}_lock`,
      ...(migrationTableSchema !== undefined && { migrationTableSchema }),
    })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  })
}

/** Locks a schema until the end of the transaction. Waiting for the migrations of another process may take long. */
async function preparePostgres(db: Kysely<unknown>, schema: string | undefined): Promise<string> {
  await sql`set local lock_timeout = '10min'`.execute(db)
  await sql`set local statement_timeout = '10min'`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtextextended(${`stagecraft migrate ${schema ?? ''}`}, 0))`.execute(
    db,
  )
  if (schema !== undefined) await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db)
  const current = rows[0]?.schema
  if (typeof current !== 'string')
    throw connectionFailed('the search path of its user names no schema that exists')
  return current
}

async function readApplied(db: Kysely<unknown>, engine: Store['engine']): Promise<readonly string[]> {
  const isThere =
    engine === 'postgres'
      ? sql<{ found: string | null }>`select to_regclass(${TABLE})::text as found`
      : sql<{ found: string | null }>`select name as found from sqlite_schema where name = ${TABLE}`
  const found = await isThere.execute(db)
  if (!found.rows[0]?.found) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function refuseNewer(applied: readonly string[], migrations: Migrations): void {
  const unknown = applied.filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw connectionFailed(
    `a newer version of the program has changed it (${unknown.join(', ')}); start that version, or restore an earlier backup`,
  )
}
