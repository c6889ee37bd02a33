import type { Generation, GenerationRequest, Meta } from '@stagecraft/spec'

/** What is used of an engine; that of `@stagecraft/core` is one. */
export interface GenerationEngine {
  /** Answers one request, which it checks itself; rejects with a `StagecraftError`. */
  generate(
    request: GenerationRequest,
    options?: { readonly signal?: AbortSignal },
  ): Promise<{ readonly data: Generation; readonly meta: Meta }>
}
