import type * as OpenAiModule from 'openai'
import type { Connection } from './options.ts'

/** The SDK of both APIs, Responses and Chat Completions. */
export type OpenAiSdk = typeof OpenAiModule

/** Servers on one's own machine need no key; the SDK does, and what it makes of it is not sent. */
const NO_KEY = 'none'

/** Says all that the SDK would else take from the environment. */
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
