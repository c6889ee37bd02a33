import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore } from '../../../../../test/service/each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase } from '../../../../../test/service/store-schema.ts'
import type { Store } from '../store.ts'
import { claim } from './claim.ts'
import { handBack } from './hand-back.ts'
import { heartbeat } from './heartbeat.ts'
import type { Lease } from './job-table.ts'
import { settle } from './settle.ts'

const HOUR = 3_600_000
const options = { table: 'jobs', worker: 'w', limit: 10, leaseMs: HOUR } as const

async function add(store: Store<TestDatabase>, count: number, dueIn = -HOUR): Promise<void> {
  const now = await store.now()
  const jobs = Array.from({ length: count }, (_, index) => ({
    id: `job_${String(index).padStart(4, '0')}`,
    state: 'queued',
    due_at: now + dueIn + index,
    attempts: 0,
  }))
  await store.db.insertInto('jobs').values(jobs).execute()
}

async function lease(store: Store<TestDatabase>, limit = 10): Promise<Lease<TestDatabase>> {
  const rows = await claim(store, { ...options, limit })
  return { table: 'jobs', ids: rows.map(({ id }) => id), leaseOwner: rows[0]?.lease_owner ?? 'nobody' }
}

await describeEachStore<TestDatabase>('a queue', TEST_MIGRATIONS, (open) => {
  test('gives out what is due, oldest first', async () => {
    const store = await open()
    await add(store, 5)
    const first = await claim(store, { ...options, limit: 3 })
    expect(first.map(({ id }) => id)).toEqual(['job_0000', 'job_0001', 'job_0002'])
    expect(first[0]).toMatchObject({ state: 'running', attempts: 1, result: null })
    expect(new Set(first.map((row) => row.lease_owner)).size).toBe(1)
    expect((await claim(store, options)).map(({ id }) => id)).toEqual(['job_0003', 'job_0004'])
    expect(await claim(store, options)).toEqual([])
  })

  test('gives out nothing before it is due', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 2, 24 * HOUR)
    expect(await claim(store, options)).toEqual([])
    offset = 25 * HOUR
    expect(await claim(store, options)).toHaveLength(2)
  })

  test('gives no row to two that ask at once, and every row to one', async () => {
    const stores = await Promise.all([open(), open(), open(), open()])
    await add(stores[0], 400)
    const taken: string[] = []
    for (;;) {
      const shares = await Promise.all(stores.map((store) => claim(store, { ...options, limit: 7 })))
      if (taken.length === 0) expect(shares.map((rows) => rows.length)).toEqual([7, 7, 7, 7])
      const ids = shares.flat().map(({ id }) => id)
      if (ids.length === 0) break
      taken.push(...ids)
    }
    expect(taken).toHaveLength(400)
    expect(new Set(taken).size).toBe(400)
  })

  test('gives out again what a silent worker holds, before all else, and shuts that worker out', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 3)
    const late = await lease(store, 2)
    offset = 2 * HOUR
    const next = await claim(store, { ...options, limit: 2 })
    expect(next.map(({ id }) => id).toSorted()).toEqual(late.ids)
    expect(next[0]?.attempts).toBe(2)
    expect(await settle(store.db, { ...late, set: { state: 'done' } })).toEqual([])
    expect(await heartbeat(store, { ...late, leaseMs: HOUR })).toEqual([])
    expect(await handBack(store.db, late)).toEqual([])
    const states = await store.db.selectFrom('jobs').select('state').where('id', 'in', late.ids).execute()
    expect(states).toEqual([{ state: 'running' }, { state: 'running' }])
  })

  test('counts what has expired into the limit', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 6)
    await lease(store, 2)
    offset = 2 * HOUR
    expect((await claim(store, { ...options, limit: 3 })).map(({ attempts }) => attempts)).toEqual([2, 2, 1])
    expect(await claim(store, options)).toHaveLength(3)
  })

  test('keeps a claim whose worker shows that it is alive', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 1)
    const held = await lease(store)
    offset = 0.9 * HOUR
    expect(await heartbeat(store, { ...held, leaseMs: HOUR })).toEqual(held.ids)
    offset = 1.8 * HOUR
    expect(await claim(store, options)).toEqual([])
    expect(await settle(store.db, { ...held, set: { state: 'done', result: 'ok' } })).toEqual(held.ids)
    expect(await store.db.selectFrom('jobs').selectAll().executeTakeFirst()).toMatchObject({
      state: 'done',
      result: 'ok',
      lease_owner: null,
      lease_until: null,
    })
  })

  test('settles a row once, and rolls that back with its transaction', async () => {
    const store = await open()
    await add(store, 1)
    const held = await lease(store)
    const failing = store.transaction(async (transaction) => {
      expect(await settle(transaction, { ...held, set: { state: 'done' } })).toEqual(held.ids)
      throw new Error('planned')
    })
    await expect(failing).rejects.toThrow('planned')
    expect(await settle(store.db, { ...held, set: { state: 'done' } })).toEqual(held.ids)
    expect(await settle(store.db, { ...held, set: { state: 'failed' } })).toEqual([])
  })

  test('queues a row again for later', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 1)
    const held = await lease(store)
    const due = sql<number>`${store.nowMs()} + ${HOUR}`
    await settle(store.db, { ...held, set: { state: 'queued', due_at: due } })
    expect(await claim(store, options)).toEqual([])
    offset = 1.5 * HOUR
    expect(await claim(store, options)).toMatchObject([{ attempts: 2 }])
  })

  test('takes rows back from a worker that stops, without counting the attempt', async () => {
    const store = await open()
    await add(store, 2)
    const held = await lease(store)
    expect(await handBack(store.db, { ...held, ids: held.ids.slice(0, 1) })).toEqual(held.ids.slice(0, 1))
    expect(await claim(store, options)).toMatchObject([{ id: held.ids[0], attempts: 1 }])
    expect(await handBack(store.db, { ...held, ids: [] })).toEqual([])
  })
})
