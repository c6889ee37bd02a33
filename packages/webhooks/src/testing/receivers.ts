import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import type { Certificate } from './certificate.ts'

/** A receiver on this machine. */
export interface Receiver {
  readonly port: number
  /** Returns the number of connections so far. */
  readonly connections: () => number
}

/** The hook of a test runner that stops a receiver after the test. */
type OnFinished = (stop: () => Promise<void>) => unknown

async function start(server: Server, host: string, onFinished: OnFinished): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  onFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { port: (server.address() as AddressInfo).port, connections: () => connections }
}

export async function httpReceiver(
  listener: RequestListener,
  onFinished: OnFinished,
  host = '127.0.0.1',
): Promise<Receiver> {
  return await start(createServer(listener), host, onFinished)
}

export async function tlsReceiver(
  listener: RequestListener,
  certificate: Certificate,
  onFinished: OnFinished,
): Promise<Receiver> {
  return await start(createTlsServer({ ...certificate }, listener), '127.0.0.1', onFinished)
}

/** Answers with raw bytes when a request begins. */
export async function rawReceiver(
  onRequest: (socket: Socket) => void,
  onFinished: OnFinished,
): Promise<Receiver> {
  const server = createRawServer((socket) => socket.once('data', () => onRequest(socket)))
  return await start(server, '127.0.0.1', onFinished)
}
