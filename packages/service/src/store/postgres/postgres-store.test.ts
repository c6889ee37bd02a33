import pg from 'pg'
import { type StoreOf, openStoreOf } from '../../../../../test/service/each-store.ts'
import { randomBytes } from 'node:crypto'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { StagecraftError } from '@stagecraft/spec'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asStore, TEST_MIGRATIONS, type TestDatabase } from '../../../../../test/service/store-schema.ts'
import { describeWithServer, postgresServer } from '../../../../../test/servers.ts'
import { checkStore, openStore } from '../open-store.ts'

const server = await postgresServer()
const schema = `store_${randomBytes(6).toString('hex')}`
const note = (id: string) => ({ id, created_at: 1, body: '' })

async function failureOf(work: Promise<unknown>): Promise<StagecraftError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof StagecraftError) return error
  throw new Error('expected a StagecraftError', { cause: error })
}

describeWithServer('a store in PostgreSQL', server, () => {
  const opened: StoreOf<TestDatabase>[] = []
  let client: pg.Client
  const open = async (maxConnections?: number): Promise<StoreOf<TestDatabase>> => {
    const store = await openStoreOf<TestDatabase>({
      url: server.url,
      schema,
      maxConnections,
      migrations: TEST_MIGRATIONS,
    })
    opened.push(store)
    return store
  }
  const processOf = async (handle: StoreOf<TestDatabase>['db']): Promise<number> => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(handle)
    return rows[0]?.pid ?? 0
  }
  const terminate = (pid: number) => client.query('select pg_terminate_backend($1)', [pid])

  beforeAll(async () => {
    client = new pg.Client({ connectionString: server.url })
    await client.connect()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((store) => store.close()))
    await client.query(`truncate ${schema}.notes, ${schema}.scans cascade`)
  })
  afterAll(async () => {
    await client.query(`drop schema ${schema} cascade`)
    await client.end()
  })

  test('outlives the end of an idle connection', async () => {
    const store = await open(1)
    const first = await processOf(store.db)
    await terminate(first)
    // until the news has arrived, a query may still be sent to the connection that is no more
    await expect.poll(() => processOf(store.db).catch(() => first)).not.toBe(first)
  })

  test('does a transaction again whose connection ends on the way', async () => {
    const store = await open()
    let attempts = 0
    await store.transaction(async (transaction) => {
      attempts += 1
      await transaction
        .insertInto('notes')
        .values(note(`n${attempts}`))
        .execute()
      if (attempts === 1) await terminate(await processOf(transaction))
      await transaction
        .insertInto('note_tags')
        .values({ note_id: `n${attempts}`, tag: 'a' })
        .execute()
    })
    expect(attempts).toBe(2)
    expect(await store.db.selectFrom('notes').select('id').execute()).toEqual([{ id: 'n2' }])
  })

  test('loses nothing that was acknowledged while all its connections end again and again', async () => {
    const store = await open(4)
    const acknowledged: string[] = []
    const over = new AbortController()
    let ended = 0
    const write = async (worker: number): Promise<void> => {
      for (let index = 0; index < 40; index += 1) {
        const id = `n${worker}_${index}`
        const isKept = await store
          .transaction(async (transaction) => {
            await transaction.insertInto('notes').values(note(id)).execute()
            await transaction.insertInto('note_tags').values({ note_id: id, tag: 'a' }).execute()
          })
          .then(
            () => true,
            (error: unknown) => {
              // only that the answer to a commit was lost may come through
              expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
              return false
            },
          )
        if (isKept) acknowledged.push(id)
      }
    }
    const disturb = async (): Promise<void> => {
      for (let next = 5; !over.signal.aborted;) {
        await delay(1)
        if (acknowledged.length < next) continue
        const { rowCount } = await client.query(
          `select pg_terminate_backend(pid) from pg_locks where relation = '${schema}.notes'::regclass`,
        )
        if ((rowCount ?? 0) > 0) next = acknowledged.length + 5
        ended += rowCount ?? 0
      }
    }
    const disturbing = disturb()
    await Promise.all([0, 1, 2, 3].map(write))
    over.abort()
    await disturbing
    // A connection of the store may still be about to end.
    const { rows } = await client.query<{ readonly id: string }>(
      `select id from ${schema}.notes join ${schema}.note_tags on note_id = id`,
    )
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged))
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(ended).toBeGreaterThan(10)
  })

  test('opens while tables of others come and go', async () => {
    const over = new AbortController()
    const tables = Array.from({ length: 20 }, (_, index) => `create table ${schema}_o.t${index} (id serial)`)
    const churn = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await client.query(`create schema ${schema}_o; ${tables.join('; ')}`)
        await client.query(`drop schema ${schema}_o cascade`)
      }
    }
    const churning = churn()
    try {
      for (let index = 0; index < 25; index += 1) await (await open(1)).close()
    } finally {
      over.abort()
      await churning
    }
    await expect(checkStore(asStore(await open()))).resolves.toBeUndefined()
  })

  test('resolves a deadlock', async () => {
    const store = await open()
    await store.db
      .insertInto('notes')
      .values([note('a'), note('b')])
      .execute()
    let [attempts, held] = [0, 0]
    const bothHoldOne = Promise.withResolvers<void>()
    const touch = (first: string, second: string) =>
      store.transaction(async (transaction) => {
        attempts += 1
        const change = (id: string) =>
          transaction.updateTable('notes').set({ body: first }).where('id', '=', id).execute()
        await change(first)
        held += 1
        if (held === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await change(second)
      })
    await Promise.all([touch('a', 'b'), touch('b', 'a')])
    expect(attempts).toBeGreaterThanOrEqual(3) // what is tried again can meet the other one again
    const bodies = await store.db.selectFrom('notes').select('body').execute()
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(1) // of the one that came last, both
  })

  test('does not hide the error of a statement behind that of the transaction', async () => {
    const store = await open(1)
    await expect(store.transaction((transaction) => sql`nonsense`.execute(transaction))).rejects.toThrow(
      'nonsense',
    )
    expect(await store.now()).toBeGreaterThan(1.7e12)
  })

  test('gives numbers for whole and decimal numbers, and 0 and 1 for truth', async () => {
    const store = await open()
    const { rows } = await sql`select count(*) as count, sum(n::bigint) as sum, 1 = 1 as yes, 1 = 2 as no
      from generate_series(1, 3) n`.execute(store.db)
    expect(rows).toEqual([{ count: 3, sum: 6, yes: 1, no: 0 }])
  })

  test('refuses a database that is not there, without telling the address', async () => {
    const url = new URL(server.url)
    url.pathname = '/no_such_database'
    url.password = 'canary'
    const error = await failureOf(openStore({ url: url.href, migrations: {} }))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(error.message).toContain('the server has no such database')
    expect(error.message).not.toContain('canary')
  })

  test('refuses to copy itself', async () => {
    const store = await open()
    expect((await failureOf(store.backup('/nowhere'))).message).toContain('pg_dump')
  })

  test('says in time that no connection is free', async () => {
    const store = await open(1)
    const holding = store.transaction(() => delay(400))
    await delay(20)
    const error = await failureOf(checkStore(asStore(store), { deadlineMs: 100 }))
    expect(error.message).toContain('did not respond within 100 ms')
    await holding
    await checkStore(asStore(store))
  })
})

describe('an address', () => {
  test('that nothing answers at is a failed connection', async () => {
    const listener = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.once('listening', resolve))
    const { port } = listener.address() as AddressInfo
    await new Promise((resolve) => listener.close(resolve))
    const error = await failureOf(
      openStore({ url: `postgres://u:canary@127.0.0.1:${port}/d`, migrations: {} }),
    )
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    expect(error.message).toContain('the connection was refused')
  })

  test('whose server stays silent is given up', async () => {
    const listener = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.once('listening', resolve))
    const { port } = listener.address() as AddressInfo
    const url = `postgres://u:canary@127.0.0.1:${port}/d`
    const error = await failureOf(openStore({ url, connectTimeoutMs: 150, migrations: {} }))
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED' })
    await new Promise((resolve) => listener.close(resolve))
  })

  test.each(['mysql://u:canary@h/d', 'canary', 'postgres://u:canary@h:port/d'])(
    'like %s is none',
    async (url) => {
      const error = await failureOf(openStore({ url, migrations: {} }))
      expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { faults: [{ path: 'url' }] } })
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain('canary')
    },
  )

  test('may not smuggle settings into the name of the schema', async () => {
    const error = await failureOf(
      openStore({ url: 'postgres://h/d', schema: 'a -c work_mem=1', migrations: {} }),
    )
    expect(error.details?.faults).toMatchObject([{ path: 'schema' }])
  })
})
