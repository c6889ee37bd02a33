import type { DeliveryRules } from './delivery-rules.ts'
import type { EndpointHealth, HealthSign } from './endpoint-health.ts'

/** Statuses of a receiver, or of what stands before it, that has too much to do. */
const OVERLOAD: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * After a failure: opens the breaker when it was the probe, or one too many, and makes the window smaller for a
 * receiver with too much to do. Attempts that were under way when it opened change nothing of it.
 */
export function openBreaker(
  health: EndpointHealth,
  { isProbe, retryAfterMs = 0, status = 0 }: HealthSign,
  { now, rules: { breaker } }: { readonly rules: DeliveryRules; readonly now: number },
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
