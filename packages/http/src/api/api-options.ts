import type { ApiHandlers, Operation, OperationId } from '@stagecraft/spec/api'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Sessions } from '../ports/sessions.ts'

/** The handlers and settings of `/v1`. */
export interface ApiOptions {
  /** One function for each operation of `API_OPERATIONS`. */
  readonly handlers: ApiHandlers
  /** Keeps the responses of requests with an `Idempotency-Key`. Default: in the memory of this process. */
  readonly idempotency?: IdempotencyStore
  /** The sessions of the dashboard. Default: every call needs a key. */
  readonly sessions?: Sessions
  /** Counts sign-ins by client address. Default: 30 a minute, in the memory of this process. */
  readonly signIns?: RateLimiter
  /** The table to serve, such as one with other summaries or deprecations. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<OperationId, Operation>>
  /**
   * Checks responses against their schemas and refuses unknown members; for tests.
   *
   * @default false
   */
  readonly checkAnswers?: boolean
}
