import type { ApiHandlers, Operation, OperationId } from '@stagecraft/spec/api'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import type { RateLimiter } from '../ports/rate-limiter.ts'
import type { Sessions } from '../ports/sessions.ts'

/** The handlers and settings of `/v1`. */
export interface ApiOptions {
  readonly handlers: ApiHandlers
  /** Remembers what was answered to an `Idempotency-Key`. Default: in the memory of this process. */
  readonly idempotency?: IdempotencyStore
  /** The sign-ins of the dashboard. Default: every call needs a key. */
  readonly sessions?: Sessions
  /** Counts sign-ins by the address that they come from. Default: 30 in a minute, in the memory of this process. */
  readonly signIns?: RateLimiter
  /** The table that is served: another summary, a deprecation. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<OperationId, Operation>>
  /**
   * Checks answers against their schemas and refuses unknown members; for tests.
   *
   * @default false
   */
  readonly checkAnswers?: boolean
}
