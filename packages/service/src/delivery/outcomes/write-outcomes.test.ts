import { expect, test } from 'vitest'
import { DELIVERY_RULES } from '../rules/delivery-rules.ts'
import type { ClaimedDelivery, SentDelivery } from '../send-claimed.ts'
import { type DecideOptions, decideOutcome } from './write-outcomes.ts'

const NOW = 1_000_000

function stateOf(
  result: Partial<SentDelivery['result']>,
  {
    delivery = {},
    ...change
  }: Partial<DecideOptions> & { readonly delivery?: Partial<ClaimedDelivery> } = {},
): string {
  const claimed = { id: 'dlv_1', attempt: 1, createdAt: NOW, trigger: 'event', leaseOwner: 'w', ...delivery }
  const sent = {
    delivery: claimed as ClaimedDelivery,
    result: { outcome: 'failed', durationMs: 5, ...result } as const,
    endedAt: NOW,
  }
  const options = {
    rules: DELIVERY_RULES,
    random: () => 0,
    now: NOW,
    webhook: { state: 'active' },
    ...change,
  } as const
  const { next_at: next, outcome, state } = decideOutcome(sent, options)
  return `${state}${next === null ? '' : ` in ${next - NOW} ms`}, ${outcome}`
}

test('a 2xx is delivered, whatever became of the webhook', () => {
  expect(stateOf({ outcome: 'delivered' })).toBe('delivered, delivered')
  expect(stateOf({ outcome: 'delivered' }, { webhook: undefined })).toBe('delivered, delivered')
})

test('a failure is tried again after its pause, and after the one that was asked for', () => {
  expect(stateOf({ failure: 'status', status: 500 })).toBe('pending in 5000 ms, failed')
  expect(stateOf({ retryAfterMs: 60_000 })).toBe('pending in 60000 ms, failed')
  expect(stateOf({}, { delivery: { attempt: 12 } })).toBe('exhausted, failed')
  expect(stateOf({}, { delivery: { createdAt: NOW - 76 * 3_600_000 } })).toBe('expired, failed')
})

test('a failure is tried at once when the receiver refused the new secret, or the process stopped', () => {
  expect(stateOf({ failure: 'secret_refused', status: 401 })).toBe('pending in 0 ms, failed')
  expect(stateOf({ failure: 'aborted' })).toBe('pending in 0 ms, unknown')
})

test('a failure is the end when nobody wants it any more', () => {
  expect(stateOf({ outcome: 'gone', status: 410 })).toBe('cancelled, gone')
  expect(stateOf({ directive: 'abort-message', status: 400 })).toBe('cancelled, failed')
  expect(stateOf({}, { webhook: { state: 'disabled' } })).toBe('cancelled, failed')
  expect(stateOf({}, { webhook: undefined })).toBe('cancelled, failed')
  expect(stateOf({ failure: 'aborted' }, { webhook: undefined })).toBe('cancelled, unknown')
})

test('a failure waits for a webhook that is paused', () => {
  expect(stateOf({}, { webhook: { state: 'paused' } })).toBe('pending in 5000 ms, failed')
})

test('a test is sent once', () => {
  expect(stateOf({}, { delivery: { trigger: 'test' } })).toBe('exhausted, failed')
})
