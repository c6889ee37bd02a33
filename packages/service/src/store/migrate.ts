import { type Kysely, sql, type Transaction } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { connectionFailed } from './errors/store-failure.ts'
import type { Store } from './store.ts'

/** By name; they are applied in the order of their names, `0001_start` first. */
export type Migrations = Readonly<Record<string, Migration>>

const TABLE = 'stagecraft_migration'

export interface MigrateOptions {
  readonly migrations: Migrations
  /** Of PostgreSQL; made when it is missing. */
  readonly schema?: string | undefined
}

/**
 * Brings the tables up to date, all in one transaction: a migration that fails leaves nothing behind. Whoever comes second
 * waits for the first and finds the work done.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a store that a newer version has changed.
 */
export async function migrate<Database>(store: Store<Database>, options: MigrateOptions): Promise<void> {
  await store.transaction(async (transaction) => {
    const db = transaction as Transaction<unknown>
    const migrationTableSchema =
      store.engine === 'postgres' ? await preparePostgres(db, options.schema) : undefined
    await refuseNewer(db, options.migrations, migrationTableSchema)
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

/** One lock for a schema, until the end of the transaction. Waiting for another's migrations may take its time. */
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

async function refuseNewer(
  db: Kysely<unknown>,
  migrations: Migrations,
  schema: string | undefined,
): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === TABLE && (schema === undefined || table.schema === schema)))
    return
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(TABLE)} order by name`.execute(db)
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name))
  if (unknown.length === 0) return
  throw connectionFailed(
    `a newer version of the program has changed it (${unknown.join(', ')}); start that version, or restore a backup of before`,
  )
}
