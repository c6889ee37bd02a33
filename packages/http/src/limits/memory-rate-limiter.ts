import { type Clock, StagecraftError, systemClock } from '@stagecraft/spec'
import type { RateLimiter, RatePolicy, RateState } from '../ports/rate-limiter.ts'

export interface MemoryRateLimiterOptions extends RatePolicy {
  /** Default: the machine's clock. */
  readonly clock?: Clock
  /**
   * The maximum number of holders to remember. Beyond it, the least recent one is forgotten, so its quota is
   * restored early.
   *
   * @default 10_000
   */
  readonly holders?: number
}

/**
 * The rounding error of times in milliseconds: intervals are fractions, and a double stores today's times to 1/4096
 * ms.
 */
const GRAIN = 0.01

/**
 * Creates a rate limiter in the memory of this process. It uses the generic cell rate algorithm, with one
 * number for each holder: the time at which its quota is full again.
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
      const allowed = before + interval - now <= quota + GRAIN
      const after = allowed ? before + interval : before
      wholeAt.delete(holderId)
      wholeAt.set(holderId, after)
      if (wholeAt.size > holders) forgetOldest(wholeAt)
      const used = after - now
      return {
        allowed,
        remaining: Math.max(0, Math.floor((quota - used + GRAIN) / interval)),
        resetSeconds: toSeconds(used),
        retrySeconds: toSeconds(used + interval - quota),
      }
    },
  }
}

/** Converts to seconds, rounded up to whole milliseconds. */
function toSeconds(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds - GRAIN)) / 1000
}

/** A map keeps insertion order, so the oldest entry is first. */
function forgetOldest(entries: Map<string, number>): void {
  const oldest = entries.keys().next()
  if (!oldest.done) entries.delete(oldest.value)
}
