import { expect, test } from 'vitest'
import { memoryIdempotency } from './memory-idempotency.ts'

const request = { holderId: 'key_1', route: 'POST /generate', key: 'a', bodyHash: '1' }
const answer = { status: 201, headers: {}, body: 'x'.repeat(1000) }

test('forgets an answer after its time, but never a running request', async () => {
  let now = 0
  const store = memoryIdempotency({ seconds: 10, clock: { now: () => now } })
  const start = await store.begin(request)
  if (start.state !== 'fresh') throw new Error(start.state)
  now = 20_000
  expect(await store.begin(request)).toEqual({ state: 'in-flight' })
  await store.finish(start.token, answer)
  now = 9999
  expect(await store.begin(request)).toEqual({ state: 'replay', answer })
  now = 10_000
  expect(await store.begin(request)).toMatchObject({ state: 'fresh' })
})

test('forgets the oldest answers above the limit', async () => {
  const store = memoryIdempotency({ characters: 5000 })
  for (const key of ['a', 'b', 'c']) {
    const start = await store.begin({ ...request, key })
    if (start.state === 'fresh') await store.finish(start.token, answer)
  }
  expect(await store.begin({ ...request, key: 'c' })).toMatchObject({ state: 'replay' })
  expect(await store.begin({ ...request, key: 'a' })).toMatchObject({ state: 'fresh' })
})

test('forgets abandoned requests', async () => {
  const store = memoryIdempotency()
  const start = await store.begin(request)
  if (start.state === 'fresh') await store.abandon(start.token)
  expect(await store.begin({ ...request, bodyHash: '2' })).toMatchObject({ state: 'fresh' })
  expect(await store.begin(request)).toEqual({ state: 'other-body' })
})
