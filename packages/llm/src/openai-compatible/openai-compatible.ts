import type { Backend } from '@stagecraft/spec'
import type { TransportOptions } from '../provider/options.ts'
import { chatBackend } from './chat-backend.ts'

export interface OpenAiCompatibleOptions extends TransportOptions {
  /** Up to the part before `/chat/completions`: `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string
  /** As the server names it. */
  readonly model: string
  /** @default no key is sent */
  readonly apiKey?: string
}

/**
 * Any server that speaks Chat Completions: Ollama, vLLM, LM Studio, gateways. Needs the package `openai`, which is
 * loaded on the first call. Not all of these servers hold a model to the schema that they are sent.
 *
 * @example
 * const backend = openaiCompatible({ baseUrl: 'http://localhost:11434/v1', model: 'qwen3-coder' })
 *
 * @throws {StagecraftError} INVALID_REQUEST for options that are not valid.
 */
export function openaiCompatible(options: OpenAiCompatibleOptions): Backend {
  return chatBackend(options, async () => await import('openai'))
}
