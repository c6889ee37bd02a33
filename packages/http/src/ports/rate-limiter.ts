/** The quota of a key. It may be used all at once, or spread over the time in which it is restored. */
export interface RatePolicy {
  readonly requests: number
  /** In how many seconds a used-up quota is whole again. */
  readonly seconds: number
}

/** The decision about one request. */
export interface RateState {
  readonly allowed: boolean
  /** Requests that would be allowed right now. */
  readonly remaining: number
  /** Until the whole quota is there again. */
  readonly resetSeconds: number
  /** Until the next request is allowed; 0 when it is allowed now. */
  readonly retrySeconds: number
}

/** Counts requests. One in memory counts for its own process; a store can count for many. */
export interface RateLimiter {
  readonly policy: RatePolicy
  /** Counts a request of a key's holder, if it is allowed. */
  take(holderId: string): RateState | Promise<RateState>
}
