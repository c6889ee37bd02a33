import { expect, test } from 'vitest'
import { DELIVERY_RULES } from '../rules/delivery-rules.ts'
import { type FailedAttempt, type NextAttempt, nextAttempt } from './write-outcomes.ts'

const HOUR = 3_600_000

function next(change: Partial<FailedAttempt>, chance = 0): NextAttempt {
  const failed = { attempts: 1, createdAt: 0, now: 0, retryAfterMs: undefined, ...change }
  return nextAttempt(failed, { rules: DELIVERY_RULES, random: () => chance })
}

test('waits 5 s, 30 s, 2 min, 10 min, 30 min and 2, 5, 10, 14, 20 and 24 h', () => {
  const pauses = Array.from({ length: 11 }, (_, index) => next({ attempts: index + 1 }))
  const seconds = [5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  expect(pauses).toEqual(seconds.map((one) => ({ state: 'pending', nextAt: one * 1000 })))
})

test('gives up after twelve attempts', () => {
  expect(next({ attempts: 12 })).toEqual({ state: 'exhausted' })
})

test('adds up to a fifth of the pause, and never more than 80 s', () => {
  expect(next({ attempts: 2 }, 0.5)).toEqual({ state: 'pending', nextAt: 33_000 })
  expect(next({ attempts: 8 }, 0.999_999)).toEqual({ state: 'pending', nextAt: 10 * HOUR + 80_000 })
})

test('makes all attempts within the lifetime, whatever chance adds', () => {
  let now = 0
  for (let attempts = 1; attempts < 12; attempts++) {
    now += 10_000
    const result = next({ attempts, now }, 0.999_999)
    expect(result.state).toBe('pending')
    if (result.state === 'pending') now = result.nextAt
  }
  expect(now).toBeGreaterThan(75 * HOUR)
  expect(now).toBeLessThan(76 * HOUR)
})

test('waits for as long as the receiver asks', () => {
  expect(next({ retryAfterMs: HOUR })).toEqual({ state: 'pending', nextAt: HOUR })
  expect(next({ retryAfterMs: 10 })).toEqual({ state: 'pending', nextAt: 5000 })
})

test('has expired when the next attempt would come too late', () => {
  expect(next({ now: 75 * HOUR, retryAfterMs: 24 * HOUR })).toEqual({ state: 'expired' })
})
