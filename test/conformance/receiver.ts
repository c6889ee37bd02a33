import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Target } from './target.ts'

/** One POST, as it came. */
export interface Delivery {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Receiver {
  urlOf(path: string): string
  /** Everything that came to a path, the oldest first. */
  deliveriesTo(path: string): readonly Delivery[]
  /** The statuses of the next answers to a path; then, and by default, 200. */
  answerWith(path: string, statuses: readonly number[]): void
  close(): Promise<void>
}

/** Receives deliveries, and acknowledges them with 200 and JSON. */
export async function openReceiver({
  receiver: { host, port },
  receiverUrl,
}: Pick<Target, 'receiver' | 'receiverUrl'>): Promise<Receiver> {
  const received = new Map<string, Delivery[]>()
  const planned = new Map<string, number[]>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers, method = '', url = '' } = request
    // A proxy before it may have a path of its own.
    const path = url.slice(url.lastIndexOf('/'))
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const all = received.get(path) ?? []
    received.set(path, [...all, { method, headers, body: Buffer.concat(chunks), at: Date.now() }])
    response.writeHead(planned.get(path)?.shift() ?? 200, { 'content-type': 'application/json' })
    response.end('{"received":true}')
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(port, host)
  await once(server, 'listening')
  const own = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    urlOf: (path) => `${receiverUrl?.replace(/\/$/, '') ?? own}${path}`,
    deliveriesTo: (path) => received.get(path) ?? [],
    answerWith: (path, statuses) => void planned.set(path, [...statuses]),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
