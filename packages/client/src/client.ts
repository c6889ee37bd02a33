import type { GenerationRequest } from '@stagecraft/spec'
import { callWithRetries } from './call-with-retries.ts'
import { type ClientOptions, fillOptions } from './options.ts'
import type { Answer } from './read-answer.ts'

export interface CallOptions {
  /** Stops the call at once, also in a pause; it then throws the signal's reason. */
  readonly signal?: AbortSignal
}

/** A Stagecraft service. */
export interface Client {
  /**
   * Answers one request, as the `generate` of an engine does.
   *
   * @throws {StagecraftError} What the service answered, with `details.requestId`; CONNECTION_FAILED when no answer
   * of a Stagecraft service came.
   */
  generate(request: GenerationRequest, options?: CallOptions): Promise<Answer>
}

/**
 * Opens a service; nothing is sent yet.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://stagecraft.example.com', apiKey })
 * const { data, meta } = await client.generate({ type: 'staging', source: 'raw.stripe.payments' })
 * @throws {StagecraftError} INVALID_REQUEST for faulty options.
 */
export function createClient(options: ClientOptions): Client {
  // In a closure and in no property, so that nothing that prints a client prints the key.
  const settings = fillOptions(options)
  return {
    generate: (request, { signal } = {}) =>
      callWithRetries({ path: '/generate', body: JSON.stringify(request) }, settings, signal),
  }
}
