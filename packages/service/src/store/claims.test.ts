import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { describeEachStore, type StoreOf } from '../../../../test/service/each-store.ts'
import { TEST_MIGRATIONS, type TestDatabase, asStore } from '../../../../test/service/store-schema.ts'
import { type Claim, claimJobs, releaseClaim, renewClaim, UNCLAIMED, updateClaimed } from './claims.ts'

const HOUR = 3_600_000
const options = { table: 'scans', worker: 'w', limit: 10, leaseMs: HOUR } as const

async function add(store: StoreOf<TestDatabase>, count: number, dueIn = -HOUR): Promise<void> {
  const now = await store.now()
  const jobs = Array.from({ length: count }, (_, index) => ({
    id: `job_${String(index).padStart(4, '0')}`,
    state: 'queued',
    due_at: now + dueIn + index,
    attempts: 0,
  }))
  await store.db.insertInto('scans').values(jobs).execute()
}

async function claimSome(store: StoreOf<TestDatabase>, limit = 10): Promise<Claim> {
  const rows = await claimJobs(asStore(store), { ...options, limit })
  return { table: 'scans', ids: rows.map(({ id }) => id), leaseOwner: rows[0]?.lease_owner ?? 'nobody' }
}

await describeEachStore<TestDatabase>('a queue', TEST_MIGRATIONS, (open) => {
  test('gives out what is due, oldest first', async () => {
    const store = await open()
    await add(store, 5)
    const first = await claimJobs(asStore(store), { ...options, limit: 3 })
    expect(first.map(({ id }) => id)).toEqual(['job_0000', 'job_0001', 'job_0002'])
    expect(first[0]).toMatchObject({ state: 'running', attempts: 1, result: null })
    expect(new Set(first.map((row) => row.lease_owner)).size).toBe(1)
    expect((await claimJobs(asStore(store), options)).map(({ id }) => id)).toEqual(['job_0003', 'job_0004'])
    expect(await claimJobs(asStore(store), options)).toEqual([])
  })

  test('gives out nothing before it is due', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 2, 24 * HOUR)
    expect(await claimJobs(asStore(store), options)).toEqual([])
    offset = 25 * HOUR
    expect(await claimJobs(asStore(store), options)).toHaveLength(2)
  })

  test('gives no row to two that ask at once, and every row to one', async () => {
    const stores = await Promise.all([open(), open(), open(), open()])
    await add(stores[0], 400)
    const taken: string[] = []
    for (;;) {
      const shares = await Promise.all(
        stores.map((store) => claimJobs(asStore(store), { ...options, limit: 7 })),
      )
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
    const late = await claimSome(store, 2)
    offset = 2 * HOUR
    const next = await claimJobs(asStore(store), { ...options, limit: 2 })
    expect(next.map(({ id }) => id).toSorted()).toEqual(late.ids)
    expect(next[0]?.attempts).toBe(2)
    expect(await updateClaimed(asStore(store).db, late, { state: 'done', ...UNCLAIMED })).toEqual([])
    expect(await renewClaim(asStore(store), late, HOUR)).toEqual([])
    expect(await releaseClaim(asStore(store).db, late)).toEqual([])
    const states = await store.db.selectFrom('scans').select('state').where('id', 'in', late.ids).execute()
    expect(states).toEqual([{ state: 'running' }, { state: 'running' }])
  })

  test('counts what has expired into the limit', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 6)
    await claimSome(store, 2)
    offset = 2 * HOUR
    expect(
      (await claimJobs(asStore(store), { ...options, limit: 3 })).map(({ attempts }) => attempts),
    ).toEqual([2, 2, 1])
    expect(await claimJobs(asStore(store), options)).toHaveLength(3)
  })

  test('keeps a claim whose worker shows that it is alive', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 1)
    const held = await claimSome(store)
    offset = 0.9 * HOUR
    expect(await renewClaim(asStore(store), held, HOUR)).toEqual(held.ids)
    offset = 1.8 * HOUR
    expect(await claimJobs(asStore(store), options)).toEqual([])
    expect(
      await updateClaimed(asStore(store).db, held, { state: 'done', result: 'ok', ...UNCLAIMED }),
    ).toEqual(held.ids)
    expect(await store.db.selectFrom('scans').selectAll().executeTakeFirst()).toMatchObject({
      state: 'done',
      result: 'ok',
      lease_owner: null,
      lease_until: null,
    })
  })

  test('settles a row once, and rolls that back with its transaction', async () => {
    const store = await open()
    await add(store, 1)
    const held = await claimSome(store)
    const failing = store.transaction(async (transaction) => {
      expect(await updateClaimed(transaction as never, held, { state: 'done', ...UNCLAIMED })).toEqual(
        held.ids,
      )
      throw new Error('planned')
    })
    await expect(failing).rejects.toThrow('planned')
    expect(await updateClaimed(asStore(store).db, held, { state: 'done', ...UNCLAIMED })).toEqual(held.ids)
    expect(await updateClaimed(asStore(store).db, held, { state: 'failed', ...UNCLAIMED })).toEqual([])
  })

  test('queues a row again for later', async () => {
    let offset = 0
    const store = await open({ clockOffset: () => offset })
    await add(store, 1)
    const held = await claimSome(store)
    const due = sql<number>`${store.nowMs()} + ${HOUR}`
    await updateClaimed(asStore(store).db, held, { state: 'queued', due_at: due, ...UNCLAIMED })
    expect(await claimJobs(asStore(store), options)).toEqual([])
    offset = 1.5 * HOUR
    expect(await claimJobs(asStore(store), options)).toMatchObject([{ attempts: 2 }])
  })

  test('takes rows back from a worker that stops, without counting the attempt', async () => {
    const store = await open()
    await add(store, 2)
    const held = await claimSome(store)
    expect(await releaseClaim(asStore(store).db, { ...held, ids: held.ids.slice(0, 1) })).toEqual(
      held.ids.slice(0, 1),
    )
    expect(await claimJobs(asStore(store), options)).toMatchObject([{ id: held.ids[0], attempts: 1 }])
    expect(await releaseClaim(asStore(store).db, { ...held, ids: [] })).toEqual([])
  })
})
