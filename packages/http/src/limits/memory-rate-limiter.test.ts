import { expect, test } from 'vitest'
import { memoryRateLimiter } from './memory-rate-limiter.ts'

test('allows the whole quota at once, then one request per interval', async () => {
  let now = 1000
  const limiter = memoryRateLimiter({ requests: 3, seconds: 10, clock: { now: () => now } })
  const states = [1, 2, 3, 4].map(() => limiter.take('a'))
  expect(states).toMatchObject([
    { allowed: true, remaining: 2 },
    { allowed: true, remaining: 1 },
    { allowed: true, remaining: 0, resetSeconds: 10 },
    { allowed: false, remaining: 0 },
  ])
  now += 3334
  expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 0 })
  expect(limiter.take('a')).toMatchObject({ allowed: false })
  now += 60_000
  expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 2 })
})

test('returns when the next request is allowed, and then allows it', async () => {
  let now = 1_795_000_000_000
  const limiter = memoryRateLimiter({ requests: 7, seconds: 3, clock: { now: () => now } })
  for (let round = 0; round < 200; round++) {
    const { retrySeconds } = await limiter.take('a')
    now += Math.ceil(retrySeconds * 1000)
    expect(await limiter.take('a')).toMatchObject({ allowed: true })
  }
})

test('counts each holder separately', () => {
  const limiter = memoryRateLimiter({ requests: 1, seconds: 10, clock: { now: () => 0 } })
  expect(limiter.take('a')).toMatchObject({ allowed: true })
  expect(limiter.take('b')).toMatchObject({ allowed: true })
  expect(limiter.take('a')).toMatchObject({ allowed: false })
})

test('forgets the least recent holder above the limit', () => {
  const limiter = memoryRateLimiter({ requests: 1, seconds: 10, holders: 2, clock: { now: () => 0 } })
  for (const holder of ['a', 'b', 'c']) void limiter.take(holder)
  expect(limiter.take('c')).toMatchObject({ allowed: false })
  expect(limiter.take('a')).toMatchObject({ allowed: true })
})

test('refuses invalid quotas', () => {
  expect(() => memoryRateLimiter({ requests: 0, seconds: 10 })).toThrow('whole numbers above 0')
})
