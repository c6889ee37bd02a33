import type { Backend } from '@stagecraft/spec'
import { type OpenAiOptions, responsesBackend } from './responses-backend.ts'

/**
 * Creates a backend for OpenAI's models, through the Responses API, which stores nothing. Needs the package `openai`,
 * which is loaded on the first call.
 *
 * @example
 * const backend = openai({ apiKey })
 *
 * @throws {StagecraftError} INVALID_REQUEST for invalid options.
 */
export function openai(options: OpenAiOptions): Backend {
  return responsesBackend(options, async () => await import('openai'))
}
