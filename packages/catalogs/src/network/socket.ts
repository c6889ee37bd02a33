import type { Socket } from 'node:net'

/** Creates an unconnected socket for a driver. A socket of the caller may refuse hosts. */
export type SocketFactory = () => Socket

/** Connects a socket and waits for it, for drivers that expect a connected one. */
export function connectSocket(
  create: SocketFactory,
  { host, port, signal }: { readonly host: string; readonly port: number; readonly signal?: AbortSignal },
): Promise<Socket> {
  const socket = create()
  const { promise, reject, resolve } = Promise.withResolvers<Socket>()
  const onAbort = (): void => void socket.destroy(signal?.reason as Error)
  signal?.addEventListener('abort', onAbort)
  socket.once('error', reject)
  socket.once('connect', () => resolve(socket))
  socket.connect(port, host)
  return promise.finally(() => {
    signal?.removeEventListener('abort', onAbort)
    socket.off('error', reject)
  })
}
