import type { Backend } from '@stagecraft/spec'
import { messagesBackend } from './messages-backend.ts'

export interface AnthropicOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'claude-haiku-5-5' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.anthropic.com' */
  readonly baseUrl?: string
  /** For proxies, recordings and tests. @default the global fetch */
  readonly fetch?: typeof fetch
  /** How often a request that failed for a passing reason is sent again, within `timeoutMs`. @default 2 */
  readonly maxRetries?: number
}

/**
 * Claude, through the Messages API. Needs the package `@anthropic-ai/sdk`, which is loaded on the first call.
 *
 * @example
 * const backend = anthropic({ apiKey })
 *
 * @throws {StagecraftError} INVALID_REQUEST for options that are not valid.
 */
export function anthropic(options: AnthropicOptions): Backend {
  return messagesBackend(options, async () => await import('@anthropic-ai/sdk'))
}
