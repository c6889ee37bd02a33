// A coordinator of Trino, as its documents describe the wire: https://trino.io/docs/current/develop/client-protocol.html
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** The outcome of a statement. */
export type Outcome =
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly error: { readonly message: string; readonly errorName: string } }
  | 'never ends'

/** One request that came. */
interface TrinoRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The statement of a POST. */
  readonly statement: string
}

export interface TrinoServer {
  readonly port: number
  readonly requests: readonly TrinoRequest[]
  /** Answers of these statuses come first. */
  readonly before: (readonly [status: number, body?: string])[]
  close(): Promise<void>
}

export interface TrinoServerOptions {
  readonly listen?: (handler: RequestListener) => Server
  /** Rows of a page. @default 2 */
  readonly pageSize?: number
}

/** The coordinator knows itself by another name than its clients do, as behind a gateway. */
const OWN_NAME = 'http://coordinator.internal:8080'

/** Starts a coordinator that answers statements by a function: first that they are queued, then page by page. */
export async function startTrino(
  outcomeOf: (statement: string, headers: IncomingMessage['headers']) => Outcome,
  { listen = createServer, pageSize = 2 }: TrinoServerOptions = {},
): Promise<TrinoServer> {
  const requests: TrinoRequest[] = []
  const before: (readonly [number, string?])[] = []
  const statements: { readonly text: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = listen((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method = '', url: path = '' } = request
    const statement = await text(request)
    requests.push({ method, path, headers, statement })
    const first = before.shift()
    if (first) return void response.writeHead(first[0], { 'retry-after': '0' }).end(first[1] ?? '')
    if (method === 'DELETE') return void response.writeHead(204).end()
    if (method === 'POST') statements.push({ text: statement, headers })
    const [id, token] = /\/(\d+)\/slug\/(\d+)$/.exec(path)?.slice(1).map(Number) ?? [
      statements.length - 1,
      -1,
    ]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(pageOf(id ?? 0, token ?? 0)))
  }

  function pageOf(id: number, token: number): object {
    const { headers = {}, text: asked = '' } = statements[id] ?? {}
    const outcome = outcomeOf(asked, headers)
    const state = (name: string): object => ({
      id: `20261122_000000_0000${id}_abcde`,
      infoUri: `${OWN_NAME}/ui/query.html?${id}`,
      stats: { state: name, queued: name === 'QUEUED', scheduled: false, nodes: 1 },
      warnings: [],
    })
    const nextUri = `${OWN_NAME}/v1/statement/${token < 0 ? 'queued' : 'executing'}/${id}/slug/${token + 1}`
    if (token < 0 || outcome === 'never ends') return { ...state('QUEUED'), nextUri }
    if ('error' in outcome)
      return { ...state('FAILED'), error: { errorCode: 1, errorType: 'USER_ERROR', ...outcome.error } }
    const columns = outcome.columns.map((name) => ({
      name,
      type: 'varchar',
      typeSignature: { rawType: 'varchar', arguments: [] },
    }))
    const rows = outcome.rows.slice(token * pageSize, (token + 1) * pageSize)
    const isLast = (token + 1) * pageSize >= outcome.rows.length
    const page = { ...state('RUNNING'), columns, ...(rows.length > 0 && { data: rows }) }
    return isLast ? { ...page, stats: { state: 'FINISHED' } } : { ...page, nextUri }
  }

  return {
    port: (server.address() as AddressInfo).port,
    requests,
    before,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
