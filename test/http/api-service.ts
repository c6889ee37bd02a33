// The interface under /v1 on a real port, over handlers that remember how they were called.
import { createEngine } from '@stagecraft/core'
import { type AppOptions, type ApiOptions, createApp, staticKeys } from '@stagecraft/http'
import { type ApiHandlers, SCOPES } from '@stagecraft/spec/api'
import { onTestFinished } from 'vitest'
import { apiDouble, PROJECT_ID, type Recorded } from './api-double.ts'
import { catalog, KEY } from './service.ts'

export const KEY_WITHOUT_PROJECT = 'sk_test_222222222222222222222222222222_222222'
export const OTHER_OWNER = 'sk_test_444444444444444444444444444444_444444'
export const READER = 'sk_test_333333333333333333333333333333_333333'

const KEYS = staticKeys([
  { name: 'owner', key: KEY, scopes: SCOPES, projectId: PROJECT_ID },
  { name: 'other', key: OTHER_OWNER, scopes: SCOPES, projectId: PROJECT_ID },
  { name: 'reader', key: READER, scopes: ['read'], projectId: PROJECT_ID },
  { name: 'homeless', key: KEY_WITHOUT_PROJECT, scopes: SCOPES },
])

type Setup = Partial<Omit<AppOptions, 'api'>> & {
  readonly handlers?: Partial<ApiHandlers>
  readonly api?: Omit<ApiOptions, 'handlers'>
}

interface Asked {
  /** Null for none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; bytes and texts as they are. */
  readonly body?: unknown
}

export interface ApiService {
  readonly url: string
  readonly app: ReturnType<typeof createApp>
  readonly calls: readonly Recorded[]
  /** Asks `GET /v1/projects`. */
  readonly ask: (line: string, asked?: Asked) => Promise<Response>
}

export async function startApi({ api, handlers, ...options }: Setup = {}): Promise<ApiService> {
  const double = apiDouble()
  const app = createApp({
    engine: createEngine({ catalog }),
    keys: KEYS,
    api: { handlers: { ...double.handlers, ...handlers }, checkAnswers: true, ...api },
    ...options,
  })
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (line: string, { body, headers = {}, key = KEY }: Asked = {}): Promise<Response> => {
    const [method = '', path = ''] = line.split(' ')
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    return fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: Buffer.from(isRaw ? body : JSON.stringify(body)) }),
    })
  }
  return { url, app, calls: double.calls, ask }
}
