import type { Generation, GenerationRequest, Meta } from '@stagecraft/spec'
import type { Caller } from '@stagecraft/spec/api'

export interface GenerateOptions {
  /** Aborts when the client disconnects or the deadline passes. */
  readonly signal?: AbortSignal
  /** The key of the request, if it belongs to a project. */
  readonly caller?: Caller
  /** The id of the request, for logs and events. */
  readonly requestId?: string
}

/** The members of an engine that are used; an engine of `@stagecraft/core` has them. */
export interface GenerationEngine {
  /** Checks and runs one request; rejects with a `StagecraftError`. */
  generate(
    request: GenerationRequest,
    options?: GenerateOptions,
  ): Promise<{ readonly data: Generation; readonly meta: Meta }>
}
