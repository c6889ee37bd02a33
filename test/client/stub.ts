// A server that misbehaves as it is told.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Client, type ClientOptions, createClient } from '@stagecraft/client'
import { onTestFinished } from 'vitest'

export type Reply = (response: ServerResponse, request: IncomingMessage) => void

export interface Stub {
  readonly url: string
  readonly host: string
  /** The requests that came. */
  readonly requests: readonly IncomingMessage[]
  /** What they held. */
  readonly bodies: readonly string[]
  /** When they came, by `performance.now()`. */
  readonly times: readonly number[]
}

/** Answers with one reply after the other, and then with the last again and again. */
export async function startStub(...replies: readonly [Reply, ...Reply[]]): Promise<Stub> {
  const requests: IncomingMessage[] = []
  const bodies: string[] = []
  const times: number[] = []
  const server = createServer((request, response) => {
    const reply = replies[Math.min(requests.length, replies.length - 1)]
    requests.push(request)
    times.push(performance.now())
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    request.once('end', () => {
      bodies.push(body)
      reply?.(response, request)
    })
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}`, requests, bodies, times }
}

export const KEY = 'sk_test_000000000000000000000000000000_000000'

export function clientOf(stub: { readonly url: string }, options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: stub.url, apiKey: KEY, ...options })
}

export function send(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  return (response) => response.writeHead(status, headers).end(sent)
}

/** Closes the connection without a word. */
export const reset: Reply = (response) => void response.socket?.resetAndDestroy()

/** Never answers. */
export const hang: Reply = () => undefined

export const SUCCESS = {
  success: true,
  data: { code: 'select 1', schema: 'version: 2', tests: [], warnings: [], files: [] },
  meta: { requestId: 'req_1', timestamp: '2026-11-21T09:30:00.000Z', tokensUsed: 0 },
}

export function success(data: unknown, meta: object = {}): object {
  return { success: true, data, meta: { ...SUCCESS.meta, ...meta } }
}

export function failure(code: string, message = 'it failed', details?: object): object {
  return { success: false, error: { code, message, details }, meta: { requestId: 'req_2' } }
}
