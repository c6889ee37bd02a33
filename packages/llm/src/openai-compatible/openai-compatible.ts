import type { Backend } from '@stagecraft/spec'
import { chatBackend, type OpenAiCompatibleOptions } from './chat-backend.ts'

/**
 * Creates a backend for any server with Chat Completions: Ollama, vLLM, LM Studio, gateways. Needs the package
 * `openai`, which is loaded on the first call. Some of these servers do not enforce the schema of the answer.
 *
 * @example
 * const backend = openaiCompatible({ baseUrl: 'http://localhost:11434/v1', model: 'qwen3-coder' })
 *
 * @throws {StagecraftError} INVALID_REQUEST for invalid options.
 */
export function openaiCompatible(options: OpenAiCompatibleOptions): Backend {
  return chatBackend(options, async () => await import('openai'))
}
