/** The limits and pauses of attempts to deliver. */
export interface DeliveryRules {
  /** The pause before each attempt; the first is 0. There are as many attempts as pauses. */
  readonly pausesMs: readonly number[]
  /** The random part of a pause, so that deliveries that failed together are not retried together. */
  readonly jitter: number
  /** The maximum random part, which lets all attempts fit into the lifetime. */
  readonly longestJitterMs: number
  /** The age at which a delivery is no longer tried, for any reason. */
  readonly lifetimeMs: number
  readonly breaker: BreakerRules
  readonly disable: DisableRules
}

interface BreakerRules {
  /** The number of consecutive failures that opens it. */
  readonly failures: number
  /** The time for which it stays open; doubled after each failed probe, up to the maximum. */
  readonly pauseMs: number
  readonly longestPauseMs: number
  /** The maximum number of deliveries under way to one healthy endpoint. */
  readonly window: number
}

/** Both must be reached without a success in between. */
interface DisableRules {
  readonly afterMs: number
  readonly attempts: number
  /** The fractions of these limits at which the webhook gets a notice. */
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
