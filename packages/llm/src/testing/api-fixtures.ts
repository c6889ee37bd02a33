import type { Backend, BackendUsage } from '@stagecraft/spec'

export interface OpenOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly maxRetries?: number
  readonly probeAfterMs?: number
  readonly probeTimeoutMs?: number
}

/** The answers of one API in each situation of the shared tests. */
export interface ApiFixtures {
  readonly name: string
  readonly path: string
  readonly open: (options: OpenOptions) => Backend
  /** A complete answer with this text. */
  readonly ok: (text: string) => unknown
  readonly tool: unknown
  readonly refusal: unknown
  readonly truncated: unknown
  readonly withoutUsage: unknown
  readonly withNullUsage: unknown
  /** The usage of `ok`. */
  readonly usage: BackendUsage
  /** The part of `tool` that must be sent back, in the API's form. */
  readonly toolTurn: unknown
  /** An error body with these codes. */
  readonly error: (type: string, message: string) => unknown
  /** The frames of `ok`, with the text in two pieces. */
  readonly stream: (text: string) => readonly string[]
  readonly toolStream: readonly string[]
  readonly streamWithoutUsage: readonly string[]
  /** A stream with an `overloaded` error in the middle. */
  readonly errorFrame: string
  readonly unknownFrame: string
  /** A frame with this text, which may be repeated. */
  readonly textFrame: (text: string) => string
  readonly words: {
    readonly rawStop: string
    readonly rawToolStop: string
    readonly rawTruncated: string
    readonly rawRefusal: string
  }
}

/** The tool call of all fixtures. */
export const TOOL_CALL = { id: 'call_1', name: 'list_columns', input: { table: 'orders' } }
