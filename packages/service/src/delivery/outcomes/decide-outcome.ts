import type { DeliveryState } from '@stagecraft/spec/api'
import type { AttemptRow, WebhookRow } from '../../store/schema.ts'
import type { DeliveryRules } from '../rules/delivery-rules.ts'
import { nextAttempt } from '../rules/next-attempt.ts'
import { SECRET_REFUSED, type SentDelivery } from '../send-claimed.ts'

/** The columns to write after an attempt: to its own row, and to that of its delivery. */
export interface Outcome {
  readonly id: string
  readonly owner: string
  readonly state: DeliveryState
  /** Null when it stays. */
  readonly next_at: number | null
  readonly finished_at: number | null
  readonly status: number | null
  readonly failure: string | null
  readonly number: number
  readonly outcome: AttemptRow['outcome']
  readonly ended_at: number
  readonly duration_ms: number
  readonly excerpt: string | null
}

export interface DecideOptions {
  readonly rules: DeliveryRules
  readonly random: () => number
  readonly now: number
  /** Of its webhook; undefined when that was deleted. */
  readonly webhook: Pick<WebhookRow, 'state'> | undefined
}

type NextState = { readonly state: DeliveryState; readonly nextAt?: number }

/** Decides the state of a delivery after an attempt. */
export function decideOutcome(sent: SentDelivery, options: DecideOptions): Outcome {
  const { delivery, endedAt, result } = sent
  const { nextAt = null, state } = nextStateOf(sent, options)
  return {
    id: delivery.id,
    owner: delivery.leaseOwner,
    state,
    next_at: nextAt,
    finished_at: state === 'pending' ? null : options.now,
    status: result.status ?? null,
    failure: result.failure ?? null,
    number: delivery.attempt,
    outcome: result.failure === 'aborted' ? 'unknown' : result.outcome,
    ended_at: endedAt,
    duration_ms: result.durationMs,
    excerpt: result.excerpt ?? null,
  }
}

function nextStateOf(
  { delivery, result }: SentDelivery,
  { now, random, rules, webhook }: DecideOptions,
): NextState {
  if (result.outcome === 'delivered') return { state: 'delivered' }
  if (delivery.trigger === 'test') return { state: 'exhausted' }
  if (result.outcome === 'gone' || result.directive !== undefined) return { state: 'cancelled' }
  if (webhook === undefined || webhook.state === 'disabled') return { state: 'cancelled' }
  if (result.failure === 'aborted' || result.failure === SECRET_REFUSED)
    return { state: 'pending', nextAt: now }
  const { attempt: attempts, createdAt } = delivery
  return nextAttempt({ attempts, createdAt, now, retryAfterMs: result.retryAfterMs }, { random, rules })
}
