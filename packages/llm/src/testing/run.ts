import { type Backend, type BackendAnswer, BackendError, type BackendRequest } from '@stagecraft/spec'
import type { ApiFixtures, OpenOptions } from './api-fixtures.ts'
import { anthropicFixtures } from './anthropic-fixtures.ts'
import { chatFixtures } from './chat-fixtures.ts'
import { openaiFixtures } from './openai-fixtures.ts'
import type { StubServer } from './stub-server.ts'

export const ALL_FIXTURES: readonly ApiFixtures[] = [anthropicFixtures, openaiFixtures, chatFixtures]

/** A key that may appear only in the authorization header and the body. */
export const CANARY_KEY = 'sk-canary-key-0123456789'
export const CANARY_PROMPT = 'canary-prompt-of-the-user'

export const REQUEST: BackendRequest = {
  system: 'Answer with JSON.',
  turns: [{ role: 'user', text: CANARY_PROMPT }],
  maxOutputTokens: 1000,
  timeoutMs: 5000,
}

export function openOn(
  fixtures: ApiFixtures,
  server: StubServer,
  options: Partial<OpenOptions> = {},
): Backend {
  return fixtures.open({ baseUrl: server.url, apiKey: CANARY_KEY, ...options })
}

/** Runs a call that must fail and returns its error. */
export async function failureOfCall(call: Promise<BackendAnswer>): Promise<BackendError> {
  const error: unknown = await call.then(
    (answer) => new Error(`expected a failure, got an answer with stop "${answer.stop}"`),
    (reason: unknown) => reason,
  )
  if (error instanceof BackendError) return error
  throw error
}
