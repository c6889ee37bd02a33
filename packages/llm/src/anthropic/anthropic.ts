import type { Backend } from '@stagecraft/spec'
import type { TransportOptions } from '../provider/options.ts'
import { messagesBackend } from './messages-backend.ts'

export interface AnthropicOptions extends TransportOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'claude-haiku-5-5' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.anthropic.com' */
  readonly baseUrl?: string
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
