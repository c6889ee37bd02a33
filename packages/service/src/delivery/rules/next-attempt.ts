import type { DeliveryRules } from './delivery-rules.ts'

export interface FailedAttempt {
  /** The number of attempts so far. */
  readonly attempts: number
  readonly createdAt: number
  readonly now: number
  /** The pause that the receiver asked for. */
  readonly retryAfterMs: number | undefined
}

export type NextAttempt =
  | { readonly state: 'pending'; readonly nextAt: number }
  | { readonly state: 'exhausted' | 'expired' }

/**
 * Returns the time of the next attempt after a failure: not before its pause is over, nor earlier than the
 * receiver asked for.
 */
export function nextAttempt(
  { attempts, createdAt, now, retryAfterMs = 0 }: FailedAttempt,
  { random, rules }: { readonly rules: DeliveryRules; readonly random: () => number },
): NextAttempt {
  const pause = rules.pausesMs[attempts]
  if (pause === undefined) return { state: 'exhausted' }
  const jitter = Math.min(pause * rules.jitter, rules.longestJitterMs) * random()
  const nextAt = now + Math.max(Math.round(pause + jitter), retryAfterMs)
  return nextAt > createdAt + rules.lifetimeMs ? { state: 'expired' } : { state: 'pending', nextAt }
}
