import type { BackendAnswer, BackendFailure } from '@stagecraft/spec'
import type { ApiFixtures } from './api-fixtures.ts'
import type { StubReply } from './stub-server.ts'

/** A situation and the result of every backend. */
export interface Behaviour {
  readonly name: string
  readonly replies: (fixtures: ApiFixtures) => readonly StubReply[]
  readonly isStream?: boolean
  /** @default 5000 */
  readonly timeoutMs?: number
  /** @default 2, of the backends */
  readonly maxRetries?: number
  readonly answer?: (fixtures: ApiFixtures) => Partial<BackendAnswer>
  readonly failure?: BackendFailure
  readonly status?: number
  /** The number of requests that reach the server. @default 1 */
  readonly requests?: number
}

/** The model's usual answer. */
export const ANSWER = '{"greeting":"hallo, Zoë"}'
