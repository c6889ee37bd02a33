import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local server with the answers of a test. */
export interface StubServer {
  readonly url: string
  /** All requests since the last `answer()`. */
  readonly requests: readonly StubRequest[]
  /** Sets the answers of the next requests; the last one is repeated. */
  readonly answer: (...replies: readonly StubReply[]) => void
}

interface RunningServer extends StubServer {
  readonly close: () => Promise<void>
}

interface StubRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export type StubReply = (response: ServerResponse, request: StubRequest) => void | Promise<void>

/** The hooks of a test runner that are used. */
interface Hooks {
  readonly beforeAll: (start: () => Promise<void>) => void
  readonly afterAll: (stop: () => Promise<void>) => void
}

/** Creates a server for the tests of a file. */
export function useStubServer({ beforeAll, afterAll }: Hooks): StubServer {
  let server: RunningServer | undefined
  beforeAll(async () => {
    server = await startStubServer()
  })
  afterAll(async () => await server?.close())
  return {
    get url() {
      return server?.url ?? ''
    },
    get requests() {
      return server?.requests ?? []
    },
    answer: (...replies) => server?.answer(...replies),
  }
}

async function startStubServer(): Promise<RunningServer> {
  let replies: readonly StubReply[] = []
  const requests: StubRequest[] = []
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming)
    requests.push(request)
    response.on('error', () => {})
    await (replies[requests.length - 1] ?? replies.at(-1))?.(response, request)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (...given) => {
      replies = given
      requests.length = 0
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function readRequest(incoming: IncomingMessage): Promise<StubRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers as Readonly<Record<string, string>>,
    body: JSON.parse(text === '' ? '{}' : text) as Readonly<Record<string, unknown>>,
  }
}
