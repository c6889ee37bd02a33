import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Kysely, Transaction } from 'kysely'
import pg from 'pg'
import type { Migrations } from '../../packages/service/src/store/migrate.ts'
import { openStore, type StoreOptions } from '../../packages/service/src/store/open-store.ts'
import type { Database } from '../../packages/service/src/store/schema.ts'
import type { Engine, Store } from '../../packages/service/src/store/store.ts'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { describeWithServer, postgresServer } from '../servers.ts'

/** What a process needs to open the same store. */
export type StorePlace = { readonly file: string } | { readonly url: string; readonly schema: string }

export interface OpenOptions {
  readonly clockOffset?: () => number
  readonly migrations?: Migrations
  readonly maxConnections?: number
}

/** The store, empty at the start of a test. Opened again within one, it is as another process sees it. */
export type OpenStore<Tables = Database> = (options?: OpenOptions) => Promise<StoreOf<Tables>>

/** A store with other tables than those of the service, for tests of the store itself. */
export type StoreOf<Tables> = Omit<Store, 'db' | 'transaction' | 'now'> & {
  readonly db: Kysely<Tables>
  transaction<Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>
  now(transaction?: Transaction<Tables>): Promise<number>
}

/** Opens a store with the tables that its migrations make. */
export async function openStoreOf<Tables>(options: StoreOptions): Promise<StoreOf<Tables>> {
  return (await openStore(options)) as unknown as StoreOf<Tables>
}

/** Runs the tests on either engine: in a file of its own, and in a schema of its own of a PostgreSQL. */
export async function describeEachStore<Tables = Database>(
  name: string,
  migrations: Migrations,
  body: (open: OpenStore<Tables>, place: StorePlace, engine: Engine) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-store-'))
  const file = join(folder, 'data', 'stagecraft.db')
  describe(`${name} (sqlite)`, () => {
    afterAll(() => rmSync(folder, { recursive: true }))
    body(
      openerOf({ file }, migrations, () => emptyFile(file)),
      { file },
      'sqlite',
    )
  })

  const server = await postgresServer()
  const schema = `store_${randomBytes(6).toString('hex')}`
  const place = { url: server.url, schema }
  describeWithServer(`${name} (postgres)`, server, () => {
    let client: pg.Client
    beforeAll(async () => {
      client = new pg.Client({ connectionString: server.url })
      await client.connect()
    })
    afterAll(async () => {
      await client.query(`drop schema if exists ${schema} cascade`)
      await client.end()
    })
    body(
      openerOf(place, migrations, () => emptySchema(client, schema)),
      place,
      'postgres',
    )
  })
}

function openerOf<Tables>(
  place: StorePlace,
  migrations: Migrations,
  empty: () => Promise<void>,
): OpenStore<Tables> {
  const opened: StoreOf<Tables>[] = []
  return async (options) => {
    // The first to be registered is the last to run: what works on a store is stopped by then, and waits for none that is gone.
    if (opened.length === 0) {
      onTestFinished(async () => {
        await Promise.all(opened.splice(0).map((store) => store.close()))
        await empty()
      })
    }
    const store = await openStoreOf<Tables>({ migrations, ...place, ...options } satisfies StoreOptions)
    opened.push(store)
    return store
  }
}

const KEPT = `name not like 'sqlite\\_%' escape '\\' and name not like 'stagecraft\\_migration%' escape '\\'`

async function emptyFile(file: string): Promise<void> {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  const tables = database.prepare(`select name from sqlite_schema where type = 'table' and ${KEPT}`).all()
  database.exec(`begin; ${tables.map(({ name }) => `delete from "${String(name)}";`).join('')} commit`)
  database.close()
}

/** Deletes the few rows of a test, younger tables first, since they refer to older ones: to truncate takes 100 times as long. */
async function emptySchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select name from (
       select relname as name, oid from pg_class
       where relnamespace = to_regnamespace($1) and relkind = 'r') t
     where ${KEPT} order by oid desc`,
    [schema],
  )
  await client.query(rows.map(({ name }) => `delete from ${schema}."${name}"`).join(';'))
}
