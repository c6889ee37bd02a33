/** The limits and pauses of attempts to deliver. */
export interface DeliveryRules {
  /** The pause before each attempt, the first of which waits for nothing; as many attempts as there are pauses. */
  readonly pausesMs: readonly number[]
  /** The random part of a pause, so that deliveries which failed together do not come back together. */
  readonly jitter: number
  /** The longest random part: with it, all attempts fit into the lifetime. */
  readonly longestJitterMs: number
  /** After this a delivery is not tried any more, whatever held it up. */
  readonly lifetimeMs: number
  readonly breaker: BreakerRules
  readonly disable: DisableRules
}

interface BreakerRules {
  /** The failures in a row that open it. */
  readonly failures: number
  /** The time for which it stays open; doubled each time that the probe fails, up to the longest. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  /** The most deliveries to one healthy endpoint under way at once. */
  readonly window: number
}

/** Both have to be reached without one success. */
interface DisableRules {
  readonly afterMs: number
  readonly attempts: number
  /** Parts of the way there at which the webhook gets a notice. */
  readonly notices: readonly number[]
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 12 attempts in 75 h 42 min. */
export const DELIVERY_RULES: DeliveryRules = {
  pausesMs: [
    0,
    5 * SECOND,
    30 * SECOND,
    2 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    2 * HOUR,
    5 * HOUR,
    10 * HOUR,
    14 * HOUR,
    20 * HOUR,
    24 * HOUR,
  ],
  jitter: 0.2,
  longestJitterMs: 80 * SECOND,
  lifetimeMs: 76 * HOUR,
  breaker: { failures: 10, pauseMs: 30 * SECOND, longestPauseMs: 15 * MINUTE, window: 10 },
  disable: { afterMs: 5 * DAY, attempts: 20, notices: [0.5, 0.7, 0.9] },
}
