import type { Backend } from '@stagecraft/spec'
import { openClient, type OpenAiSdk } from '../provider/openai-client.ts'
import { checkConnection } from '../provider/options.ts'
import { type ProviderAnswer, type ProviderCall, providerBackend } from '../provider/provider-backend.ts'
import { collectResponse } from './collect-response.ts'
import type { OpenAiOptions } from './openai.ts'
import { readResponse } from './read-response.ts'
import { toResponseParams } from './to-response-params.ts'

export function responsesBackend(options: OpenAiOptions, load: () => Promise<OpenAiSdk>): Backend {
  const { apiKey, model = 'gpt-6-luna', maxRetries = 2 } = options
  const { baseUrl = 'https://api.openai.com/v1', fetch = globalThis.fetch } = options
  const connection = checkConnection('openai', { apiKey, model, baseUrl, fetch, maxRetries })
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
