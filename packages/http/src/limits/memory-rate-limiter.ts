import { type Clock, StagecraftError } from '@stagecraft/spec'
import { systemClock } from '../ids.ts'
import type { RateLimiter, RatePolicy, RateState } from '../ports/rate-limiter.ts'

export interface MemoryRateLimiterOptions extends RatePolicy {
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /**
   * How many holders are remembered; beyond that, the one that asked longest ago gets its quota back early.
   *
   * @default 10_000
   */
  readonly holders?: number
}

/**
 * Counts in the memory of this process, by the generic cell rate algorithm: of each holder it keeps one number, the time
 * at which its quota is whole again.
 */
export function memoryRateLimiter(options: MemoryRateLimiterOptions): RateLimiter {
  const { clock = systemClock, holders = 10_000, requests, seconds } = options
  if (!(Number.isInteger(requests) && requests > 0 && Number.isInteger(seconds) && seconds > 0)) {
    const expected = 'whole numbers above 0 for requests and seconds'
    throw new StagecraftError('INVALID_REQUEST', `rate limit: expected ${expected}`)
  }
  const quota = seconds * 1000
  const interval = quota / requests
  const wholeAt = new Map<string, number>()
  return {
    policy: { requests, seconds },
    take(holderId): RateState {
      const now = clock.now()
      const before = Math.max(wholeAt.get(holderId) ?? now, now)
      // Time is compared with a grain of tolerance: intervals need not be whole milliseconds.
      const allowed = before + interval - now <= quota + 1e-6
      const after = allowed ? before + interval : before
      wholeAt.delete(holderId)
      wholeAt.set(holderId, after)
      if (wholeAt.size > holders) forgetOldest(wholeAt)
      const used = after - now
      return {
        allowed,
        remaining: Math.max(0, Math.floor((quota - used + 1e-6) / interval)),
        resetSeconds: used / 1000,
        retrySeconds: Math.max(0, used + interval - quota) / 1000,
      }
    },
  }
}

/** Maps keep the order in which their entries were set. */
function forgetOldest(entries: Map<string, number>): void {
  const oldest = entries.keys().next()
  if (!oldest.done) entries.delete(oldest.value)
}
