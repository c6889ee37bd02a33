import type { WebhookRow } from '../../store/schema.ts'
import type { DeliveryRules } from './delivery-rules.ts'

/** Statuses of a receiver, or of what stands before it, that has too much to do. */
const OVERLOAD: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** The health of a receiver: columns of its webhook. */
export type EndpointHealth = Pick<
  WebhookRow,
  | 'state'
  | 'notice'
  | 'consecutive_failures'
  | 'failing_since'
  | 'last_success_at'
  | 'breaker_until'
  | 'breaker_opens'
  | 'window_size'
>

/** The result of an attempt, as far as it concerns the health of the receiver. */
export interface HealthEvidence {
  /** `refused`: it wants no more deliveries, for good. `none`: nothing is learnt from it. */
  readonly kind: 'success' | 'failure' | 'refused' | 'none'
  /** True for the one attempt that an open breaker lets through. */
  readonly isProbe: boolean
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
}

interface HealthSetup {
  readonly rules: DeliveryRules
  readonly now: number
}

/** Returns the health of a receiver after one more attempt. */
export function afterAttempt(
  health: EndpointHealth,
  evidence: HealthEvidence,
  setup: HealthSetup,
): EndpointHealth {
  if (evidence.kind === 'none') return health
  if (evidence.kind === 'success') return afterSuccess(health, setup)
  if (evidence.kind === 'refused') return disabled(health, 'the receiver refused further deliveries')
  return afterFailure(health, evidence, setup)
}

function afterSuccess(health: EndpointHealth, { now, rules }: HealthSetup): EndpointHealth {
  return {
    state: health.state,
    // Of one that somebody disabled it says why.
    notice: health.state === 'disabled' ? health.notice : null,
    consecutive_failures: 0,
    failing_since: null,
    last_success_at: now,
    breaker_until: null,
    breaker_opens: 0,
    window_size: Math.min(health.window_size * 2, Math.max(rules.breaker.window, health.window_size)),
  }
}

function afterFailure(before: EndpointHealth, evidence: HealthEvidence, setup: HealthSetup): EndpointHealth {
  const failing_since = before.failing_since ?? setup.now
  const consecutive_failures = before.consecutive_failures + 1
  const health = openBreaker({ ...before, failing_since, consecutive_failures }, evidence, setup)
  if (health.state === 'disabled') return health
  const { afterMs, attempts } = setup.rules.disable
  const days = Math.round((afterMs / 86_400_000) * 10) / 10
  if (setup.now - failing_since >= afterMs && consecutive_failures >= attempts)
    return disabled(health, `no delivery arrived for ${days} days`)
  return { ...health, notice: failingNotice({ ...health, failing_since }, setup) ?? health.notice }
}

function disabled(health: EndpointHealth, reason: string): EndpointHealth {
  return { ...health, state: 'disabled', notice: `disabled: ${reason}; enable it when it is ready` }
}

/**
 * After a failure: opens the breaker when it was the probe, or one too many, and makes the window smaller for a
 * receiver with too much to do. Attempts that were under way when it opened change nothing of it.
 */
function openBreaker(
  health: EndpointHealth,
  { isProbe, retryAfterMs = 0, status = 0 }: HealthEvidence,
  { now, rules: { breaker } }: HealthSetup,
): EndpointHealth {
  const isOverloaded = OVERLOAD.has(status)
  const asked = isOverloaded ? Math.min(retryAfterMs, breaker.longestPauseMs) : 0
  const isOpening =
    isProbe || (health.breaker_until === null && health.consecutive_failures >= breaker.failures)
  if (isOpening) {
    const pause = Math.min(breaker.pauseMs * 2 ** Math.min(health.breaker_opens, 20), breaker.longestPauseMs)
    const breaker_until = now + Math.max(pause, asked)
    return { ...health, breaker_until, breaker_opens: health.breaker_opens + 1, window_size: 1 }
  }
  if (!isOverloaded) return health
  const window_size = Math.max(1, Math.floor(health.window_size / 2))
  if (asked === 0) return { ...health, window_size }
  return { ...health, window_size, breaker_until: Math.max(health.breaker_until ?? 0, now + asked) }
}

interface Failing {
  readonly consecutive_failures: number
  readonly failing_since: number
}

/** Returns the notice for a webhook that is about to be disabled; undefined while that is far off. */
function failingNotice(
  { consecutive_failures: failures, failing_since: since }: Failing,
  { now, rules }: { readonly rules: DeliveryRules; readonly now: number },
): string | undefined {
  const { afterMs, attempts, notices } = rules.disable
  const way = Math.min((now - since) / afterMs, failures / attempts)
  const reached = notices.findLast((part) => way >= part)
  if (reached === undefined) return undefined
  const until = new Date(since + afterMs).toISOString()
  return `no delivery has arrived since ${new Date(since).toISOString()}; it is disabled at ${until} if none does (${Math.round(reached * 100)} %)`
}
