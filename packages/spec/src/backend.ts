/** A model behind an API, or something that stands in for one. */
export interface Backend {
  /** Kind and model, `anthropic:claude-haiku-5-5`: part of `meta.backend` and of cache keys. */
  readonly id: string

  /**
   * Sends one conversation and answers with the model's turn. A backend neither checks what the model said nor
   * asks again: the engine does. Truncation and refusal are answers, so that what they cost is known.
   *
   * @throws {BackendError} When there is no answer.
   * @throws The signal's reason, when the signal stopped the call.
   */
  complete(request: BackendRequest): Promise<BackendAnswer>
}

/**
 * A schema in the subset that Anthropic and OpenAI both enforce: objects with every key required and
 * `additionalProperties: false`, arrays, enums, `anyOf` with `null`; no lengths, ranges or patterns.
 */
export type JsonSchema = Readonly<Record<string, unknown>>

export interface BackendRequest {
  readonly system: string
  readonly turns: readonly BackendTurn[]
  /** The form that the text of the answer must have. */
  readonly output?: { readonly name: string; readonly schema: JsonSchema }
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly BackendTool[]
  /** `none` when the model must answer now; tools of earlier turns still have to be in `tools`. @default 'auto' */
  readonly toolChoice?: 'auto' | 'none'
  readonly maxOutputTokens: number
  /** For the whole call, retries included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** Receives each piece of text; if it is given, the backend streams. */
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

/** A turn of the model's, in the provider's own form: it has to be sent back unchanged. */
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
  /** Of the call. */
  readonly id: string
  readonly text: string
  readonly isError?: boolean
}

export interface BackendAnswer {
  /** `truncated` at the token limit, `refused` by the model, `filtered` by the provider. */
  readonly stop: 'end' | 'tool' | 'truncated' | 'refused' | 'filtered'
  /** The provider's own word for it. */
  readonly rawStop: string
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** To send back as it is when the conversation goes on. */
  readonly turn: AssistantTurn
  /** Undefined when the provider does not say. */
  readonly usage: BackendUsage | undefined
  /** As the provider names the model that answered. */
  readonly model: string
  readonly requestId?: string
  /** Of a cache in between. */
  readonly cache?: AnswerCache
}

/** Lets the caller decide, after judging an answer, if the cache keeps it. */
export interface AnswerCache {
  /** True if the answer came from the cache and so cost nothing now. */
  readonly isHit: boolean

  /** Keeps an answer that was of use; forgets one that was not. It never fails. */
  settle(isUsable: boolean): Promise<void>
}

/** In tokens. */
export interface BackendUsage {
  /** All that was read, cached or not. */
  readonly input: number
  /** The part of `input` that came from the provider's cache. */
  readonly cacheRead: number
  /** The part of `input` that was written to it. */
  readonly cacheWrite: number
  /** All that was written, reasoning included. */
  readonly output: number
  /** The part of `output` that was thought and not said. */
  readonly reasoning: number
}

/** The reasons why a backend gives no answer. */
export const BACKEND_FAILURES = {
  auth: 'the key is wrong, or may not use this model',
  quota: 'the account has no credit left',
  model_not_found: 'there is no such model',
  bad_request: 'the provider did not accept the request',
  too_large: 'the request is too large for the model',
  rate_limited: 'too many requests, also after a pause',
  overloaded: 'the provider is overloaded',
  provider_error: 'the provider failed',
  timeout: 'no answer in time',
  network: 'the provider cannot be reached',
  malformed: 'the answer is not what the API promises',
} as const satisfies Readonly<Record<string, string>>

export type BackendFailure = keyof typeof BACKEND_FAILURES

export interface BackendErrorOptions {
  readonly cause?: unknown
  /** The HTTP status, when there was one. */
  readonly status?: number
  /** The provider's id of the request, to ask its support with. */
  readonly requestId?: string
  /** The pause that the provider asked for. */
  readonly retryAfterMs?: number
  /**
   * Detail beyond the kind, the same for all calls that fail alike: `ECONNREFUSED at localhost:11434`. Like
   * the message, it holds neither the key nor what the server said.
   */
  readonly detail?: string
  /** False when nothing was sent, because earlier calls failed for the same reason. @default true */
  readonly isSent?: boolean
  /** True when it was checked that other calls would fail as well. @default false */
  readonly isProven?: boolean
}

/** A call that got no answer. Its message never holds the key, nor what the server said, which may echo the prompt. */
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
