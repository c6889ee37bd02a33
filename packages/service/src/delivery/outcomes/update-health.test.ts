import { describe, expect, test } from 'vitest'
import { DELIVERY_RULES } from '../rules/delivery-rules.ts'
import { type EndpointHealth, type HealthEvidence, afterAttempt } from './update-health.ts'

const DAY = 86_400_000

const WELL: EndpointHealth = {
  state: 'active',
  notice: null,
  consecutive_failures: 0,
  failing_since: null,
  last_success_at: null,
  breaker_until: null,
  breaker_opens: 0,
  window_size: 10,
}

function after(health: EndpointHealth, evidence: Partial<HealthEvidence>, now = 1000): EndpointHealth {
  const whole = {
    kind: 'failure',
    isProbe: false,
    status: 500,
    retryAfterMs: undefined,
    ...evidence,
  } as const
  return afterAttempt(health, whole, { rules: DELIVERY_RULES, now })
}

function failing(times: number): EndpointHealth {
  return Array.from({ length: times }).reduce<EndpointHealth>((health) => after(health, {}), WELL)
}

const probe = { isProbe: true } as const

describe('the breaker', () => {
  test('opens for 30 s after ten failures in a row', () => {
    expect(failing(9)).toMatchObject({ consecutive_failures: 9, failing_since: 1000, breaker_until: null })
    expect(failing(10)).toMatchObject({ breaker_until: 31_000, breaker_opens: 1, window_size: 1 })
  })

  test('stays as it is for failures of attempts that were under way', () => {
    expect(after(failing(10), {}, 40_000)).toMatchObject({ breaker_until: 31_000, breaker_opens: 1 })
  })

  test('opens for twice as long each time that the probe fails, up to 15 min', () => {
    let health = failing(10)
    const pauses = Array.from({ length: 7 }, () => {
      health = after(health, probe, 0)
      return (health.breaker_until ?? 0) / 1000
    })
    expect(pauses).toEqual([60, 120, 240, 480, 900, 900, 900])
  })

  test('closes with a success, and lets through 2, 4, 8 and 10 at once', () => {
    let health = failing(10)
    const windows = Array.from({ length: 4 }, () => {
      health = after(health, { kind: 'success', ...probe })
      return health.window_size
    })
    expect(windows).toEqual([2, 4, 8, 10])
    expect(health).toEqual({ ...WELL, last_success_at: 1000 })
  })

  test.each([429, 502, 503, 504])('halves the window for status %i', (status) => {
    expect(after(WELL, { status })).toMatchObject({ window_size: 5, breaker_until: null })
  })

  test('holds everything back for as long as an overloaded receiver asks, 15 min at most', () => {
    expect(after(WELL, { status: 429, retryAfterMs: 60_000 })).toMatchObject({ breaker_until: 61_000 })
    expect(after(WELL, { status: 503, retryAfterMs: DAY })).toMatchObject({ breaker_until: 901_000 })
    expect(after(WELL, { status: 500, retryAfterMs: DAY })).toMatchObject({ breaker_until: null })
  })
})

describe('a webhook', () => {
  const since = 1000
  const old = (days: number, failures: number): EndpointHealth =>
    after({ ...failing(10), consecutive_failures: failures - 1 }, {}, since + days * DAY)

  test('is disabled after 5 days and 20 attempts without a success', () => {
    expect(old(5, 20)).toMatchObject({
      state: 'disabled',
      notice: 'disabled: no delivery arrived for 5 days; enable it when it is ready',
    })
  })

  test('is not disabled before both', () => {
    expect(old(4.99, 500).state).toBe('active')
    expect(old(30, 19).state).toBe('active')
  })

  test.each([
    [2.4, null],
    [2.5, '(50 %)'],
    [3.5, '(70 %)'],
    [4.5, '(90 %)'],
  ])('is told after %f days', (days, part) => {
    const { notice } = old(days, 200)
    expect(notice === null ? null : notice.slice(-6)).toBe(part)
  })

  test('tells since when, and when it is disabled', () => {
    expect(old(3, 200).notice).toBe(
      'no delivery has arrived since 1970-01-01T00:00:01.000Z; it is disabled at 1970-01-06T00:00:01.000Z if none does (50 %)',
    )
  })

  test('loses the notice with a success', () => {
    expect(after(old(3, 200), { kind: 'success' })).toMatchObject({ notice: null, failing_since: null })
  })

  test('is disabled at once when the receiver wants no more', () => {
    expect(after(WELL, { kind: 'refused', status: 410 })).toMatchObject({
      state: 'disabled',
      notice: 'disabled: the receiver refused further deliveries; enable it when it is ready',
    })
  })

  test('learns nothing from what is not its fault', () => {
    expect(after(WELL, { kind: 'none' })).toBe(WELL)
  })

  test('that somebody paused keeps its state', () => {
    expect(after({ ...WELL, state: 'paused' }, { kind: 'success' }).state).toBe('paused')
  })
})
