import type { Backend } from '@stagecraft/spec'
import { openClient, type OpenAiSdk } from '../provider/openai-client.ts'
import { checkConnection, type TransportOptions } from '../provider/options.ts'
import { type ProviderAnswer, type ProviderCall, providerBackend } from '../provider/provider-backend.ts'
import { collectCompletion } from './collect-completion.ts'
import { readCompletion } from './read-completion.ts'
import { toChatParams } from './to-chat-params.ts'

export interface OpenAiCompatibleOptions extends TransportOptions {
  /** The URL before `/chat/completions`: `http://localhost:11434/v1` for Ollama. */
  readonly baseUrl: string
  /** The name of the model on the server. */
  readonly model: string
  /** @default no key is sent */
  readonly apiKey?: string
}

export function chatBackend(options: OpenAiCompatibleOptions, load: () => Promise<OpenAiSdk>): Backend {
  const given = { ...options, apiKey: options.apiKey }
  const connection = checkConnection('openaiCompatible', given, { isKeyOptional: true })
  return providerBackend({ kind: 'openai-compatible', packageName: 'openai', load, ask }, connection)
}

async function ask(sdk: OpenAiSdk, call: ProviderCall): Promise<ProviderAnswer> {
  const { model } = call.connection
  const { completions } = openClient(sdk, call.connection, call.fetch).chat
  const params = toChatParams(call.request, model)
  if (call.onText === undefined) return readCompletion(await completions.create(params, call.options), model)
  const chunks = await completions.create(
    { ...params, stream: true, stream_options: { include_usage: true } },
    call.options,
  )
  return readCompletion(await collectCompletion(chunks, call.onText), model)
}
