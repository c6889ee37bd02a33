import type { Generation, GenerationRequest, Meta } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'

export interface GenerateOptions {
  /** Aborts when the client goes away or the deadline has passed. */
  readonly signal?: AbortSignal
  /** The key that the request came with, if it belongs to a project. */
  readonly caller?: Caller
  readonly requestId?: string
}

/** The members of an engine that are used; an engine of `@stagecraft/core` has them. */
export interface GenerationEngine {
  /** Answers one request, which it checks itself; rejects with a `StagecraftError`. */
  generate(
    request: GenerationRequest,
    options?: GenerateOptions,
  ): Promise<{ readonly data: Generation; readonly meta: Meta }>
}
