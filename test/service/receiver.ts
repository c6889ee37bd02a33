import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Where deliveries arrive, on this machine. */
export interface DeliveryReceiver {
  readonly url: string
  /** In the order in which they came. */
  readonly requests: readonly ReceivedRequest[]
}

/** Answers every request with one status. */
export async function startReceiver(
  status: number,
  onFinished: (stop: () => Promise<void>) => unknown,
): Promise<DeliveryReceiver> {
  const requests: ReceivedRequest[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push({ headers: request.headers, body: await text(request) })
    response.writeHead(status).end('received')
  }
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests }
}
