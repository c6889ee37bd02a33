/** The quota of a key. It may be used at once or spread out. */
export interface RatePolicy {
  readonly requests: number
  /** The seconds in which a used-up quota is fully restored. */
  readonly seconds: number
}

/** The decision about one request. */
export interface RateState {
  readonly allowed: boolean
  /** The number of requests that are allowed right now. */
  readonly remaining: number
  /** Until the quota is fully restored. */
  readonly resetSeconds: number
  /** Until the next request is allowed; 0 when it is allowed now. */
  readonly retrySeconds: number
}

/** Counts requests: in memory for one process, or in a store for several. */
export interface RateLimiter {
  readonly policy: RatePolicy
  /** Counts a request of a key's holder if it is allowed. */
  take(holderId: string): RateState | Promise<RateState>
}
