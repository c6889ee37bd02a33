import type { Backend } from '@stagecraft/spec'
import { responsesBackend } from './responses-backend.ts'

export interface OpenAiOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'gpt-6-luna' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.openai.com/v1' */
  readonly baseUrl?: string
  /** For proxies, recordings and tests. @default the global fetch */
  readonly fetch?: typeof fetch
  /** How often a request that failed for a passing reason is sent again, within `timeoutMs`. @default 2 */
  readonly maxRetries?: number
}

/**
 * OpenAI's models, through the Responses API; nothing is stored there. Needs the package `openai`, which is loaded
 * on the first call.
 *
 * @example
 * const backend = openai({ apiKey })
 *
 * @throws {StagecraftError} INVALID_REQUEST for options that are not valid.
 */
export function openai(options: OpenAiOptions): Backend {
  return responsesBackend(options, async () => await import('openai'))
}
