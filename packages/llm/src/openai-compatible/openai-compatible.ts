import type { Backend } from '@stagecraft/spec'
import { chatBackend, type OpenAiCompatibleOptions } from './chat-backend.ts'

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
