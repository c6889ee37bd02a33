import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be cut. */
export interface FlakyServer {
  readonly port: number
  /** Breaks all connections, and takes no new ones until the time is over. */
  cut(milliseconds: number): void
  close(): Promise<void>
}

export async function flakyServer(target: {
  readonly host: string
  readonly port: number
}): Promise<FlakyServer> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(target)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const breakAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut(milliseconds) {
      isCut = true
      breakAll()
      setTimeout(() => {
        isCut = false
      }, milliseconds)
    },
    async close() {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}
