import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHttpHandler,
  MCP_TOKEN_VARIABLE,
  type McpHttpHandler,
  type McpOptions,
} from '@stagecraft/assistant/mcp'
import { StagecraftError } from '@stagecraft/spec'
import { listen } from './listen.ts'
import { endSoon, stopSignal } from './stop.ts'

export interface McpHttpFlags {
  readonly http?: string | true
  readonly allowedHost?: readonly string[]
}

export interface HttpAddress {
  readonly host: string
  readonly port: number
}

const DEFAULT_ADDRESS: HttpAddress = { host: '127.0.0.1', port: 8765 }

/**
 * Parses `8765`, `localhost:8765`, `[::1]:8765`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for anything else.
 */
export function readAddress(text: string | true): HttpAddress {
  if (text === true) return DEFAULT_ADDRESS
  const [, inner, name = DEFAULT_ADDRESS.host, digits = ''] =
    /^(?:(?:\[([0-9a-f:]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? []
  const port = Number(digits)
  if (digits !== '' && port <= 65_535) return { host: inner ?? name, port }
  throw StagecraftError.invalid({
    path: '--http',
    expected: 'a port, or host:port',
    received: JSON.stringify(text),
  })
}

/** The minimum length of a key from the environment. */
const SHORTEST_KEY = 16

/** Serves MCP over HTTP at `/mcp` until stopped. Every request needs the key. */
export async function serveMcpOverHttp(flags: McpHttpFlags, options: McpOptions): Promise<void> {
  const address = readAddress(flags.http ?? true)
  const given = readKey(process.env[MCP_TOKEN_VARIABLE])
  const key = given ?? `mcp_${randomBytes(24).toString('base64url')}`
  const handler = await createMcpHttpHandler({
    ...options,
    allowedHosts: hostsOf(address, flags.allowedHost),
    verify: (presented) => Promise.resolve(isSame(presented, key) ? OWNER : undefined),
  })
  const server = createServer((request, response) => {
    void answer(request, response, handler).catch((error: unknown) => {
      options.onFault?.(error)
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    })
  })
  // Slow senders must not occupy connections.
  server.requestTimeout = 60_000
  const url = await listen({ listen: (place) => listenOn(server, place) }, address)
  process.stderr.write(`MCP ${url}/mcp\n`)
  process.stderr.write(
    given === undefined ? `key for this run: ${key}\n` : `key: that of ${MCP_TOKEN_VARIABLE}\n`,
  )
  const stop = stopSignal()
  await stop.signal
  await handler.close()
  server.closeAllConnections()
  server.close()
  await stop.settled
  endSoon()
}

/** The person who started it may do everything that the tools do. */
const OWNER = { id: 'owner', scopes: ['read', 'generate'] } as const

function readKey(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  if (text.length >= SHORTEST_KEY && /^[\w.~+/-]+=*$/.test(text)) return text
  throw StagecraftError.invalid({
    path: MCP_TOKEN_VARIABLE,
    expected: `at least ${SHORTEST_KEY} letters and digits`,
    received: 'a shorter text, or one with other characters',
  })
}

/** Compares hashes, which have equal length, in constant time. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** Returns the host names that browsers and clients may use. */
function hostsOf({ host }: HttpAddress, others: readonly string[] = []): readonly string[] {
  const own = isIP(host) === 6 ? `[${host}]` : host
  return [...new Set(['localhost', '127.0.0.1', '[::1]', own, ...others])]
}

function listenOn(server: ReturnType<typeof createServer>, { host, port }: HttpAddress): Promise<string> {
  const { promise, reject, resolve } = Promise.withResolvers<string>()
  server.once('error', reject)
  server.listen(port, host, () => {
    server.off('error', reject)
    const bound = server.address()
    const actual = typeof bound === 'object' && bound ? bound.port : port
    resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`)
  })
  return promise
}

async function answer(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { fetch }: McpHttpHandler,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://localhost')
  if (url.pathname !== '/mcp') {
    outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('not found: the server is at /mcp\n')
    return
  }
  const response = await fetch(toRequest(incoming, outgoing, url))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (!response.body) {
    outgoing.end()
    return
  }
  await pipeline(Readable.fromWeb(response.body), outgoing).catch((error: unknown) => {
    // The client disconnected.
    if (!outgoing.destroyed) throw error
  })
}

function toRequest(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): Request {
  const { method = 'GET', rawHeaders } = incoming
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(url, {
    method,
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' as const }),
  })
}
