import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port that leads to a server, once it is opened; until then connections to it wait. */
export interface Gate {
  readonly port: number
  /** Returns the number of connections so far. */
  readonly connections: () => number
  readonly open: () => void
  readonly close: () => Promise<void>
}

export async function createGate({
  host,
  port,
}: {
  readonly host: string
  readonly port: number
}): Promise<Gate> {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket.on('error', () => undefined))
    socket.pause()
    const lead = async (): Promise<void> => {
      await opened
      const target = connect({ host, port }).on('error', () => socket.destroy())
      sockets.add(target)
      socket.pipe(target).pipe(socket)
    }
    void lead()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
