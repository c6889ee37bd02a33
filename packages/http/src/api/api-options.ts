import type { ApiHandlers, Operation, OperationId } from '@stagecraft/spec/api'
import type { IdempotencyStore } from '../ports/idempotency.ts'

/** What answers under `/v1`. */
export interface ApiOptions {
  readonly handlers: ApiHandlers
  /** Remembers what was answered to an `Idempotency-Key`. Default: in the memory of this process. */
  readonly idempotency?: IdempotencyStore
  /** The table that is served: another summary, a deprecation. Default: `API_OPERATIONS`. */
  readonly operations?: Readonly<Record<OperationId, Operation>>
  /**
   * Whether answers are checked by their schemas, and those with other members refused: for tests.
   *
   * @default false
   */
  readonly checkAnswers?: boolean
}
