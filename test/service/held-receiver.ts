import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A receiver that takes deliveries and answers them when it is told to. */
export interface HeldReceiver {
  readonly url: string
  /** The id of the event of every delivery, as they came. */
  readonly received: readonly string[]
  readonly release: () => void
  readonly close: () => Promise<void>
}

export async function openHeldReceiver(): Promise<HeldReceiver> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const received: string[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const { id } = JSON.parse((await buffer(request)).toString()) as { id: string }
      received.push(id)
      await released
      response.end('{}')
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    release,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
