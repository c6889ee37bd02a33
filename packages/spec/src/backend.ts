/** A model behind an API, or a substitute for one. */
export interface Backend {
  /** The kind and the model, `anthropic:claude-haiku-5-5`: part of `meta.backend` and of cache keys. */
  readonly id: string

  /**
   * Sends one conversation and returns the model's turn. A backend neither checks the answer nor repeats the question;
   * the engine does. Truncated and refused answers are returned, so that their cost is known.
   *
   * @throws {BackendError} If there is no answer.
   * @throws The signal's reason, if the signal stopped the call.
   */
  complete(request: BackendRequest): Promise<BackendAnswer>
}

/**
 * A JSON Schema in the subset that Anthropic and OpenAI both enforce: objects with every key required and
 * `additionalProperties: false`, arrays, enums, `anyOf` with `null`; no lengths, ranges or patterns.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface BackendRequest {
  readonly system: string
  readonly turns: readonly BackendTurn[]
  /** The required form of the answer's text. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema }
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly BackendTool[]
  /** `none` if the model must answer now. Tools of earlier turns must still be in `tools`. @default 'auto' */
  readonly toolChoice?: 'auto' | 'none'
  readonly maxOutputTokens: number
  /** The time limit of the whole call, including retries. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Receives each piece of text. If set, the backend streams. */
  readonly onText?: (delta: string) => void
}

export interface BackendTool {
  readonly name: string
  readonly description: string
  readonly input: JsonSchema
}

export type BackendTurn =
  | { readonly role: 'user'; readonly text: string }
  | AssistantTurn
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] }

/** A turn of the model in the provider's form, which must be sent back unchanged. */
export interface AssistantTurn {
  readonly role: 'assistant'
  readonly opaque: unknown
}

export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

export interface ToolResult {
  /** The id of the call. */
  readonly id: string
  readonly text: string
  readonly isError?: boolean
}

export interface BackendAnswer {
  /** `truncated` at the token limit, `refused` by the model, `filtered` by the provider. */
  readonly stop: 'end' | 'tool' | 'truncated' | 'refused' | 'filtered'
  /** The provider's own word for the reason. */
  readonly rawStop: string
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** The turn to send back unchanged when the conversation continues. */
  readonly turn: AssistantTurn
  /** Undefined if the provider does not report it. */
  readonly usage: BackendUsage | undefined
  /** The provider's name of the model that answered. */
  readonly model: string
  readonly requestId?: string
  /** Present if the answer went through a cache. */
  readonly cache?: AnswerCache
}

/** Lets the caller check an answer before the cache keeps it. */
export interface AnswerCache {
  /** True if the answer came from the cache, so it had no cost. */
  readonly isHit: boolean

  /** Keeps a useful answer, or drops it. It never fails. */
  settle(isUsable: boolean): Promise<void>
}

/** In tokens. */
export interface BackendUsage {
  /** All input tokens, cached or not. */
  readonly input: number
  /** The part of `input` that was read from the provider's cache. */
  readonly cacheRead: number
  /** The part of `input` that was written to it. */
  readonly cacheWrite: number
  /** All output tokens, including reasoning. */
  readonly output: number
  /** The part of `output` that was used for reasoning. */
  readonly reasoning: number
}

/** The reasons why a backend gives no answer. */
export const BACKEND_FAILURES = {
  auth: 'the key is wrong, or may not use this model',
  quota: 'the account has no credit left',
  model_not_found: 'there is no such model',
  bad_request: 'the provider did not accept the request',
  too_large: 'the request is too large for the model',
  rate_limited: 'too many requests, even after a pause',
  overloaded: 'the provider is overloaded',
  provider_error: 'the provider failed',
  timeout: 'no answer in time',
  network: 'the provider cannot be reached',
  malformed: 'the answer does not match the documentation of the API',
} as const satisfies Readonly<Record<string, string>>

export type BackendFailure = keyof typeof BACKEND_FAILURES

export interface BackendErrorOptions {
  /** The error that caused this one. */
  readonly cause?: unknown
  /** The HTTP status, if there was one. */
  readonly status?: number
  /** The provider's request id, for its support. */
  readonly requestId?: string
  /** The pause that the provider requested. */
  readonly retryAfterMs?: number
  /**
   * A detail beyond the kind, equal for calls that fail in the same way: `ECONNREFUSED at localhost:11434`.
   * Like the message, it contains neither the key nor the server's text.
   */
  readonly detail?: string
  /** False if nothing was sent, because earlier calls failed for the same reason. @default true */
  readonly isSent?: boolean
  /** True if other calls are known to fail as well. @default false */
  readonly isProven?: boolean
}

/**
 * The error of a call without an answer. Its message never contains the key or the server's text, which may echo the
 * prompt.
 */
export class BackendError extends Error {
  readonly kind: BackendFailure
  readonly status: number | undefined
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  readonly detail: string | undefined
  readonly isSent: boolean
  readonly isProven: boolean

  constructor(kind: BackendFailure, message: string, options: BackendErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'BackendError'
    this.kind = kind
    this.status = options.status
    this.requestId = options.requestId
    this.retryAfterMs = options.retryAfterMs
    this.detail = options.detail
    this.isSent = options.isSent ?? true
    this.isProven = options.isProven ?? false
  }
}
