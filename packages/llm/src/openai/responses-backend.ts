import type { Backend } from '@stagecraft/spec'
import { openClient, type OpenAiSdk } from '../provider/openai-client.ts'
import { checkConnection, type TransportOptions } from '../provider/options.ts'
import { type ProviderAnswer, type ProviderCall, providerBackend } from '../provider/provider-backend.ts'
import { collectResponse } from './collect-response.ts'
import { readResponse } from './read-response.ts'
import { toResponseParams } from './to-response-params.ts'

export interface OpenAiOptions extends TransportOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'gpt-6-luna' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.openai.com/v1' */
  readonly baseUrl?: string
}

export function responsesBackend(options: OpenAiOptions, load: () => Promise<OpenAiSdk>): Backend {
  const { model = 'gpt-6-luna', baseUrl = 'https://api.openai.com/v1' } = options
  const connection = checkConnection('openai', { ...options, model, baseUrl })
  return providerBackend({ kind: 'openai', packageName: 'openai', load, ask }, connection)
}

async function ask(sdk: OpenAiSdk, call: ProviderCall): Promise<ProviderAnswer> {
  const { model } = call.connection
  const { responses } = openClient(sdk, call.connection, call.fetch)
  const params = toResponseParams(call.request, model)
  if (call.onText === undefined) return readResponse(await responses.create(params, call.options), model)
  const events = await responses.create({ ...params, stream: true }, call.options)
  return readResponse(await collectResponse(events, call.onText), model)
}
