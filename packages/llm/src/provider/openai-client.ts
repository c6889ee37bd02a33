import type * as OpenAiModule from 'openai'
import type { Connection } from './options.ts'

/** Loads the SDK of both APIs, Responses and Chat Completions. */
export type OpenAiSdk = typeof OpenAiModule

/** A placeholder for servers without a key: the SDK requires one, but its header is not sent. */
const NO_KEY = 'none'

/** Sets every option that the SDK would otherwise read from the environment. */
export function openClient(sdk: OpenAiSdk, { apiKey, baseUrl }: Connection, fetch: typeof globalThis.fetch) {
  return new sdk.OpenAI({
    apiKey: apiKey ?? NO_KEY,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrl,
    fetch,
    logLevel: 'off',
  })
}
