import { expect, test } from 'vitest'
import {
  pruneIdempotency,
  storedIdempotency,
} from '../../packages/service/src/idempotency/stored-idempotency.ts'
import { storedRateLimiter } from '../../packages/service/src/limits/stored-rate-limiter.ts'
import { MIGRATIONS } from '../../packages/service/src/store/migrations/index.ts'
import { describeEachStore } from './each-store.ts'
import { openTestContext } from './open-test-context.ts'

const REQUEST = { holderId: 'key_1', route: 'POST /v1/units', key: 'one', bodyHash: 'aa' }
const ANSWER = { status: 201, headers: { 'x-request-id': 'req_1' }, body: '{"success":true}' }

await describeEachStore('idempotency', MIGRATIONS, (open) => {
  test('a repeated request gets the stored answer, and one with another body none', async () => {
    const keys = storedIdempotency(openTestContext(await open()))
    const first = await keys.begin(REQUEST)
    if (first.state !== 'fresh') throw new Error(`expected a fresh one, got ${first.state}`)
    expect(await keys.begin(REQUEST)).toEqual({ state: 'in-flight' })
    await keys.finish(first.token, ANSWER)
    expect(await keys.begin(REQUEST)).toEqual({ state: 'replay', answer: ANSWER })
    expect(await keys.begin({ ...REQUEST, bodyHash: 'bb' })).toEqual({ state: 'other-body' })
    expect(await keys.begin({ ...REQUEST, holderId: 'key_2' })).toMatchObject({ state: 'fresh' })
    expect(await keys.begin({ ...REQUEST, route: 'POST /v1/scans' })).toMatchObject({ state: 'fresh' })
  })

  test('of many requests at once, in two processes, one is fresh', async () => {
    const processes = [
      storedIdempotency(openTestContext(await open())),
      storedIdempotency(openTestContext(await open())),
    ]
    const begun = await Promise.all(
      Array.from({ length: 10 }, () => processes.map((keys) => keys.begin(REQUEST))).flat(),
    )
    const states = begun.map(({ state }) => state)
    expect(states.filter((state) => state === 'fresh')).toHaveLength(1)
    expect(states.filter((state) => state === 'in-flight')).toHaveLength(19)
  })

  test('a request that failed may be sent again', async () => {
    const keys = storedIdempotency(openTestContext(await open()))
    const first = await keys.begin(REQUEST)
    if (first.state === 'fresh') await keys.abandon(first.token)
    expect(await keys.begin(REQUEST)).toMatchObject({ state: 'fresh' })
  })

  test('what a process left behind may be sent again after a time, and answers are forgotten after a day', async () => {
    let offset = 0
    const context = openTestContext(await open({ clockOffset: () => offset }))
    const keys = storedIdempotency(context)
    await keys.begin(REQUEST)
    offset = 6 * 60_000
    const again = await keys.begin(REQUEST)
    if (again.state !== 'fresh') throw new Error(`expected a fresh one, got ${again.state}`)
    await keys.finish(again.token, ANSWER)
    offset += 25 * 3_600_000
    await pruneIdempotency(context)
    expect(await context.store.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
    expect(await keys.begin(REQUEST)).toMatchObject({ state: 'fresh' })
  })
})

await describeEachStore('rate limits', MIGRATIONS, (open) => {
  test('processes share a quota, exactly', async () => {
    const policy = { requests: 50, seconds: 360_000 }
    const limiters = [
      storedRateLimiter(openTestContext(await open()), policy),
      storedRateLimiter(openTestContext(await open()), policy),
    ]
    const states = await Promise.all(
      Array.from({ length: 40 }, () => limiters.map((limiter) => limiter.take('key_1'))).flat(),
    )
    expect(states.filter(({ allowed }) => allowed)).toHaveLength(50)
    const refused = await limiters[0]?.take('key_1')
    expect(refused).toMatchObject({ allowed: false, remaining: 0 })
    // A fiftieth of the time, less what has passed since.
    expect(refused?.retrySeconds).toBeGreaterThan(7100)
    expect(refused?.retrySeconds).toBeLessThanOrEqual(7200)
    expect(await limiters[0]?.take('key_2')).toMatchObject({ allowed: true, remaining: 49 })
  })

  test('a quota comes back with time', async () => {
    let offset = 0
    const limiter = storedRateLimiter(openTestContext(await open({ clockOffset: () => offset })), {
      requests: 2,
      seconds: 600,
    })
    expect((await limiter.take('key_1')).allowed).toBe(true)
    expect((await limiter.take('key_1')).allowed).toBe(true)
    expect((await limiter.take('key_1')).allowed).toBe(false)
    offset = 301_000
    expect(await limiter.take('key_1')).toMatchObject({ allowed: true, remaining: 0 })
    expect((await limiter.take('key_1')).allowed).toBe(false)
  })
})
