import type { Backend } from '@stagecraft/spec'
import { type AnthropicOptions, messagesBackend } from './messages-backend.ts'

/**
 * Creates a backend for Claude, through the Messages API. Needs the package `@anthropic-ai/sdk`, which is loaded on
 * the first call.
 *
 * @example
 * const backend = anthropic({ apiKey })
 *
 * @throws {StagecraftError} INVALID_REQUEST for invalid options.
 */
export function anthropic(options: AnthropicOptions): Backend {
  return messagesBackend(options, async () => await import('@anthropic-ai/sdk'))
}
