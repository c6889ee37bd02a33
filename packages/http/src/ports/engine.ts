import type { Generation, GenerationRequest, Meta } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'

export interface GenerateOptions {
  /** Aborts when the client goes away or the deadline has passed. */
  readonly signal?: AbortSignal
  /** Whose key the request came with, when that opens a project. */
  readonly caller?: Caller
  readonly requestId?: string
}

/** What is used of an engine; that of `@stagecraft/core` is one. */
export interface GenerationEngine {
  /** Answers one request, which it checks itself; rejects with a `StagecraftError`. */
  generate(
    request: GenerationRequest,
    options?: GenerateOptions,
  ): Promise<{ readonly data: Generation; readonly meta: Meta }>
}
