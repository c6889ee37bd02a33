import type { Backend, BackendUsage } from '@stagecraft/spec'

export interface OpenOptions {
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
  readonly maxRetries?: number
  readonly probeAfterMs?: number
  readonly probeTimeoutMs?: number
}

/** The answers of one API in the situations that all backends are tested in. */
export interface ApiFixtures {
  readonly name: string
  readonly path: string
  readonly open: (options: OpenOptions) => Backend
  /** A whole answer with this text. */
  readonly ok: (text: string) => unknown
  readonly tool: unknown
  readonly refusal: unknown
  readonly truncated: unknown
  readonly withoutUsage: unknown
  readonly withNullUsage: unknown
  /** Of `ok`. */
  readonly usage: BackendUsage
  /** The part of `tool` that must be sent back, in the form of the API. */
  readonly toolTurn: unknown
  /** A body that tells of an error by these words. */
  readonly error: (type: string, message: string) => unknown
  /** Frames of `ok`; the text comes in two pieces. */
  readonly stream: (text: string) => readonly string[]
  readonly toolStream: readonly string[]
  readonly streamWithoutUsage: readonly string[]
  /** An error in the middle, that says the provider is overloaded. */
  readonly errorFrame: string
  readonly unknownFrame: string
  /** A frame with this text, that may come again and again. */
  readonly textFrame: (text: string) => string
  readonly words: {
    readonly rawStop: string
    readonly rawToolStop: string
    readonly rawTruncated: string
    readonly rawRefusal: string
  }
}

/** The tool call that all fixtures have. */
export const TOOL_CALL = { id: 'call_1', name: 'list_columns', input: { table: 'orders' } }
