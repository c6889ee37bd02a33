import type { Backend } from '@stagecraft/spec'
import type { TransportOptions } from '../provider/options.ts'
import { responsesBackend } from './responses-backend.ts'

export interface OpenAiOptions extends TransportOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'gpt-6-luna' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.openai.com/v1' */
  readonly baseUrl?: string
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
