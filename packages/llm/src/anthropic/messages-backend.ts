import type * as AnthropicModule from '@anthropic-ai/sdk'
import type { Backend } from '@stagecraft/spec'
import { checkConnection, type Connection } from '../provider/options.ts'
import { type ProviderAnswer, type ProviderCall, providerBackend } from '../provider/provider-backend.ts'
import type { AnthropicOptions } from './anthropic.ts'
import { collectMessage } from './collect-message.ts'
import { readMessage } from './read-message.ts'
import { toMessageParams } from './to-message-params.ts'

type Sdk = typeof AnthropicModule

/** The version of the API that the types of the SDK describe; a test compares it with what the SDK sends. */
const API_VERSION = '2026-10-21'

export function messagesBackend(options: AnthropicOptions, load: () => Promise<Sdk>): Backend {
  const { apiKey, model = 'claude-haiku-5-5', maxRetries = 2 } = options
  const { baseUrl = 'https://api.anthropic.com', fetch = globalThis.fetch } = options
  const connection = checkConnection('anthropic', { apiKey, model, baseUrl, fetch, maxRetries })
  return providerBackend(
    {
      kind: 'anthropic',
      packageName: '@anthropic-ai/sdk',
      load,
      headers: { 'anthropic-version': API_VERSION },
      ask,
    },
    connection,
  )
}

async function ask(sdk: Sdk, call: ProviderCall): Promise<ProviderAnswer> {
  const { model } = call.connection
  const { messages } = openClient(sdk, call.connection, call.fetch)
  const params = toMessageParams(call.request, model)
  if (call.onText === undefined) return readMessage(await messages.create(params, call.options), model)
  const events = await messages.create({ ...params, stream: true }, call.options)
  return readMessage(await collectMessage(events, call.onText), model)
}

/** Says all that the SDK would else take from the environment. */
function openClient(sdk: Sdk, { apiKey, baseUrl }: Connection, fetch: typeof globalThis.fetch) {
  return new sdk.Anthropic({
    apiKey: apiKey ?? null,
    baseURL: baseUrl,
    webhookKey: null,
    fetch,
    logLevel: 'off',
    openTelemetry: false,
  })
}
