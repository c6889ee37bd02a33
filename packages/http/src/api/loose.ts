import type { Call } from '@stagecraft/spec/api'

/** A call of whichever operation, when its schemas have passed. */
export interface LooseCall extends Omit<Call, 'params' | 'query' | 'body'> {
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
}

/** A reply of whichever operation. */
export interface LooseReply {
  readonly data?: unknown
  readonly bytes?: Uint8Array
  readonly fileName?: string
  readonly media?: string
  readonly nextCursor?: string | undefined
  readonly tokensUsed?: number
  readonly status?: 200 | 201 | 202
}

export type LooseHandler = (call: LooseCall) => Promise<LooseReply>

/** A member of what is only known to be JSON. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
