import { Socket } from 'node:net'
import type { Address } from '../network/address.ts'
import { connectSocket, type SocketFactory } from '../network/socket.ts'

/**
 * Creates the socket for tedious. tedious passes the host, because a server may redirect it to another one.
 * https://github.com/tediousjs/tedious/blob/v19.2.2/src/connection.ts, connectOnPort
 */
export type Connector = (
  place?: { readonly host?: string; readonly port?: number },
  lookup?: unknown,
  signal?: AbortSignal,
) => Promise<Socket>

export function connectorOf(
  address: Address,
  {
    needsTls,
    socket = () => new Socket(),
  }: { readonly needsTls: boolean; readonly socket?: SocketFactory | undefined },
): Connector {
  return async ({ host = address.host, port = address.port } = {}, _lookup, signal) => {
    const connected = await connectSocket(socket, { host, port, ...(signal && { signal }) })
    return needsTls ? refuseClearLogin(connected) : connected
  }
}

/** The type of a packet that logs in, of which TLS would encrypt every byte: [MS-TDS] 2.2.3.1.1. */
const LOGIN = 16

/** What the refusal says; the driver repeats it in its own errors. */
export const NO_TLS = 'the server offers no TLS'

/**
 * Destroys a socket that would send a login in the clear. After the first message, PRELOGIN, tedious either begins TLS,
 * in further messages of that type, or logs in without it if the server says that it has none.
 */
function refuseClearLogin(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...parameters: unknown[]) => boolean
  let packets = 0
  socket.write = (bytes: unknown, ...rest: unknown[]) => {
    packets++
    if (packets === 2 && bytes instanceof Uint8Array && bytes[0] === LOGIN) {
      socket.destroy(new Error(NO_TLS))
      return false
    }
    return write(bytes, ...rest)
  }
  return socket
}
