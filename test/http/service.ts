// A service on a real port, by either binding.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createEngine } from '@stagecraft/core'
import { createApp, type GenerationEngine, type Keys, type Limits, staticKeys } from '@stagecraft/http'
import { createHandler } from '@stagecraft/http/web'
import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { onTestFinished } from 'vitest'

export const KEY = 'sk_test_000000000000000000000000000000_000000'
export const KEY_WITHOUT_SCOPE = 'sk_test_111111111111111111111111111111_111111'

interface ServiceSetup {
  readonly engine?: GenerationEngine
  readonly keys?: Keys
  readonly limits?: Limits
  /** Takes every line that is logged. */
  readonly lines?: object[]
}

export interface Service {
  readonly url: string
  readonly port: number
}

/** How a service is put on a port. */
export type Binding = (setup?: ServiceSetup) => Promise<Service>

const TABLE: CatalogTable = {
  database: 'raw',
  schema: 'stripe',
  name: 'payments',
  comment: 'What was paid.',
  columns: [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'customer', type: 'varchar' },
  ],
  primaryKey: ['id'],
}

/** A catalog with one table, `raw.stripe.payments`. */
export const catalog: Catalog = {
  dialect: 'duckdb',
  tables: () => Promise.resolve([TABLE]),
  describe: ({ table }) =>
    table.text === 'payments'
      ? Promise.resolve(TABLE)
      : Promise.reject(
          new StagecraftError('INVALID_SOURCE', `no table ${table.text}`, {
            details: { suggestion: 'did you mean payments?' },
          }),
        ),
  close: () => Promise.resolve(),
}

const KEYS = staticKeys([
  { name: 'tester', key: KEY },
  { name: 'reader', key: KEY_WITHOUT_SCOPE, scopes: ['read'] },
])

export const fastifyBinding: Binding = async ({ lines, ...setup } = {}) => {
  const app = createApp({
    engine: createEngine({ catalog }),
    keys: KEYS,
    ...setup,
    ...(lines && { logger: recordingLogger(lines) }),
  })
  onTestFinished(() => {
    app.server.closeAllConnections()
    return app.close()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return addressOf(app.server)
}

const webBinding: Binding = async ({ lines, ...setup } = {}) => {
  const handle = createHandler({
    engine: createEngine({ catalog }),
    keys: KEYS,
    ...setup,
    ...(lines && { logger: recordingLogger(lines) }),
  })
  const server = createServer((request, response) => void respond(handle, request, response))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return addressOf(server)
}

export const BINDINGS: readonly (readonly [name: string, start: Binding])[] = [
  ['createApp', fastifyBinding],
  ['createHandler', webBinding],
]

function addressOf(server: Server): Service {
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port }
}

/** What any adapter does: `node:http` on one side, web standard on the other. */
async function respond(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
  const request = new Request(`http://127.0.0.1${incoming.url}`, {
    method: incoming.method ?? 'GET',
    headers,
    signal: gone.signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }),
  })
  const response = await handle(request)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
  incoming.resume()
}

/** As much of a logger as Fastify asks for. */
function recordingLogger(lines: object[]) {
  const write = (fields: unknown, message?: string): void => {
    lines.push(typeof fields === 'object' && fields !== null ? { ...fields, message } : { message: fields })
  }
  const logger = {
    level: 'info',
    info: write,
    warn: write,
    error: write,
    fatal: write,
    debug: () => undefined,
    trace: () => undefined,
    silent: () => undefined,
    child: () => logger,
  }
  return logger
}

export interface PostOptions {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly signal?: AbortSignal
}

/** A `POST /generate` as a client of the contract sends it; a header that is undefined is left out. */
export function post(
  { url }: Service,
  body: RequestInit['body'] | object,
  { headers = {}, signal }: PostOptions = {},
): Promise<Response> {
  const all = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers }
  const isPlain = Object.getPrototypeOf(body) === Object.prototype
  return fetch(`${url}/generate`, {
    method: 'POST',
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    // Bytes get no content type of their own.
    body: isPlain ? Buffer.from(JSON.stringify(body)) : (body as RequestInit['body']),
    ...(signal && { signal }),
    duplex: 'half',
  } as RequestInit)
}

export const REQUEST = { type: 'staging', source: 'raw.stripe.payments' } as const
