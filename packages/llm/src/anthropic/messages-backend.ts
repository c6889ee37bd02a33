import type * as AnthropicModule from '@anthropic-ai/sdk'
import type { Backend } from '@stagecraft/spec'
import { checkConnection, type Connection, type TransportOptions } from '../provider/options.ts'
import { type ProviderAnswer, type ProviderCall, providerBackend } from '../provider/provider-backend.ts'
import { collectMessage } from './collect-message.ts'
import { readMessage } from './read-message.ts'
import { toMessageParams } from './to-message-params.ts'

export interface AnthropicOptions extends TransportOptions {
  /** Required; the environment is not read. */
  readonly apiKey: string
  /** @default 'claude-haiku-5-5' */
  readonly model?: string
  /** For a gateway in front of the API. @default 'https://api.anthropic.com' */
  readonly baseUrl?: string
}

type Sdk = typeof AnthropicModule

/** The API version of the SDK's types; a test compares it with the version that the SDK sends. */
const API_VERSION = '2026-10-21'

export function messagesBackend(options: AnthropicOptions, load: () => Promise<Sdk>): Backend {
  const { model = 'claude-haiku-5-5', baseUrl = 'https://api.anthropic.com' } = options
  const connection = checkConnection('anthropic', { ...options, model, baseUrl })
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

/** Sets every option that the SDK would otherwise read from the environment. */
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
