import type { ApiHandlers, Operation, OperationId } from '@stagecraft/spec/api'
import type { IdempotencyStore } from '../ports/idempotency.ts'

/** The handlers and settings of `/v1`. */
export interface ApiOptions {
  readonly handlers: ApiHandlers
  /** Remembers what was answered to an `Idempotency-Key`. Default: in the memory of this process. */
  readonly idempotency?: IdempotencyStore
  /** The table that is served: another summary, a deprecation. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<OperationId, Operation>>
  /**
   * Checks answers against their schemas and refuses unknown members; for tests.
   *
   * @default false
   */
  readonly checkAnswers?: boolean
}
