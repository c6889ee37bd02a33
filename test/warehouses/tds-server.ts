// A server of TDS 7.4 as [MS-TDS] describes the wire, without encryption:
// https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-tds/b46a581a-39de-4745-b076-ec4dbb7d13ec
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { type Duplex, duplexPair } from 'node:stream'
import { TLSSocket } from 'node:tls'
import type { AddressInfo } from 'node:net'
import {
  type Asked,
  integer,
  type Login,
  type Outcome,
  readLogin,
  readRequest,
  type ServerError,
  tokens,
} from './tds-messages.ts'

export interface TdsServer {
  readonly port: number
  readonly asked: readonly Asked[]
  readonly logins: readonly Login[]
  /** The statements that ATTENTION ended. */
  readonly attentions: readonly string[]
  close(): Promise<void>
}

interface Certificate {
  readonly cert: string
  readonly key: string
}

interface TdsServerOptions {
  readonly answer: (asked: Asked) => Outcome | Promise<Outcome>
  /** The errors that refuse a login, in the order in which the server sends them. @default none */
  readonly refuse?: (login: Login) => readonly ServerError[]
  /** Begins TLS in PRELOGIN messages, with this certificate. @default the server has no TLS */
  readonly certificate?: Certificate
  /** @default without TLS before the first message */
  readonly listen?: (connected: (socket: Socket) => void) => Server
}

// 2.2.3.1.1, the types of packets
const PACKET = { batch: 1, call: 3, response: 4, attention: 6, login: 16, prelogin: 18 } as const
const END_OF_MESSAGE = 1
const PACKET_SIZE = 4096
const HEADER = 8
/** 2.2.6.5: everything is encrypted, or the server has no encryption. */
const ENCRYPTION = { on: 1, none: 2 } as const

export async function startTds({
  answer,
  certificate,
  listen = createServer,
  refuse = () => [],
}: TdsServerOptions): Promise<TdsServer> {
  const asked: Asked[] = []
  const logins: Login[] = []
  const attentions: string[] = []
  const sockets = new Set<Socket>()
  const server = listen((connected) => {
    sockets.add(connected)
    connected.on('error', () => {}).on('close', () => sockets.delete(connected))
    if (!certificate) return serve(connected)
    const off = onMessage(connected, () => {
      off()
      sendMessage(connected, prelogin(ENCRYPTION.on))
      void acceptTls(connected, certificate).then(serve)
    })
  })
  const serve = (socket: Duplex): void => {
    let running: { readonly text: string } | undefined
    const send = (...parts: readonly Buffer[]): void => sendMessage(socket, Buffer.concat(parts))
    const run = async (request: Asked): Promise<void> => {
      const own = (running = request)
      asked.push(request)
      const outcome = await answer(request)
      if (running !== own || outcome === 'never ends') return
      running = undefined
      send(...tokens.outcome(outcome, request.text.includes('begin transaction')))
    }
    onMessage(socket, (type, message) => {
      if (type === PACKET.prelogin) return send(prelogin(ENCRYPTION.none))
      if (type === PACKET.login) {
        const login = readLogin(message)
        logins.push(login)
        const errors = refuse(login)
        if (errors.length === 0) return send(...tokens.loggedIn(login.database, PACKET_SIZE))
        send(...errors.map(tokens.error), tokens.done({ isError: true }))
        return void socket.end()
      }
      if (type === PACKET.attention) {
        // the statement has an answer, cut short, and the acknowledgement is a message of its own
        if (running) attentions.push(running.text)
        if (running) send(tokens.done({}))
        running = undefined
        return send(tokens.done({ isAttention: true }))
      }
      if (type === PACKET.batch) return send(...tokens.batch()) // the options of a session
      return void run(readRequest(message))
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    logins,
    attentions,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** 2.2.6.5: VERSION 16.0.1000, ENCRYPTION and the end. */
function prelogin(encryption: number): Buffer {
  const version = Buffer.from([16, 0, 3, 232, 0, 0])
  const start = 2 * 5 + 1
  const option = (token: number, offset: number, length: number): Buffer =>
    Buffer.from([token, 0, offset, 0, length])
  return Buffer.concat([
    option(0, start, version.length),
    option(1, start + version.length, 1),
    Buffer.from([0xff]),
    version,
    Buffer.from([encryption]),
  ])
}

/** 2.2.1: calls back with each message, which is in one or more packets, until it is turned off. */
function onMessage(socket: Duplex, receive: (type: number, message: Buffer) => void): () => void {
  let bytes = Buffer.alloc(0)
  let parts: Buffer[] = []
  const onData = (chunk: Buffer): void => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= HEADER && bytes.length >= bytes.readUInt16BE(2)) {
      const length = bytes.readUInt16BE(2)
      const [type = 0, status = 0] = bytes
      parts.push(bytes.subarray(HEADER, length))
      bytes = bytes.subarray(length)
      if (!(status & END_OF_MESSAGE)) continue
      const message = Buffer.concat(parts)
      parts = []
      receive(type, message)
    }
  }
  socket.on('data', onData)
  return () => void socket.off('data', onData)
}

/** 2.2.6.5 and 3.2.5.1: the handshake of TLS is in PRELOGIN messages, and what follows it is not. */
function acceptTls(socket: Socket, certificate: Certificate): Promise<Duplex> {
  const [inner, outer] = duplexPair()
  const clear = new TLSSocket(inner, { isServer: true, ...certificate })
  clear.on('error', () => socket.destroy())
  let isSecure = false
  clear.once('secure', () => (isSecure = true))
  const { promise, resolve } = Promise.withResolvers<Duplex>()
  const off = onMessage(socket, (_type, message) => {
    outer.write(message)
    // every message gets one answer, of all that TLS has to say by then
    setTimeout(() => {
      sendMessage(socket, (outer.read() as Buffer | null) ?? Buffer.alloc(0))
      if (!isSecure) return
      off()
      socket.on('data', (chunk: Buffer) => outer.write(chunk))
      outer.on('data', (chunk: Buffer) => socket.write(chunk))
      resolve(clear)
    }, 50)
  })
  return promise
}

function sendMessage(socket: Duplex, message: Buffer): void {
  const room = PACKET_SIZE - HEADER
  for (let at = 0, packet = 1; at === 0 || at < message.length; at += room, packet++) {
    const body = message.subarray(at, at + room)
    const isLast = at + room >= message.length
    const header = [PACKET.response, isLast ? END_OF_MESSAGE : 0]
    const length = integer(HEADER + body.length, 2).toReversed()
    socket.write(Buffer.concat([Buffer.from(header), length, Buffer.from([0, 51, packet & 255, 0]), body]))
  }
}
