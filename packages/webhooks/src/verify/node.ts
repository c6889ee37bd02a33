import { BodyTooLarge, readBody } from './read-body.ts'
import { type Answer, type HandlerOptions, type Incoming, type OnEvent, receiver } from './receive.ts'

/** The members that are read from a request of `node:http`, or of a framework built on it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body that a parser read: `express.raw()`, or one that keeps the raw body. */
  readonly body?: unknown
  readonly rawBody?: unknown
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<unknown>
}

/** The members of a `node:http` response that are used. */
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): { end(body: string): unknown }
}

/** Creates a listener for `createServer()` of `node:http`. It answers every path and accepts only POST. */
export function nodeHandler<Request extends NodeRequest>(
  onEvent: OnEvent<Request>,
  options: HandlerOptions,
): (request: Request, response: NodeResponse) => void {
  const receive = receiver(options)
  return (request, response) => {
    void receive(fromNode(request), (event) => onEvent(event, request)).then((answer) =>
      send(response, answer),
    )
  }
}

/**
 * Creates a handler for `app.post()` of Express. Put it before `express.json()`, which discards the raw body.
 * Bodies of `express.raw()` are used unchanged.
 */
export function expressHandler<Request extends NodeRequest>(
  onEvent: OnEvent<Request>,
  options: HandlerOptions,
): (request: Request, response: NodeResponse) => void {
  return nodeHandler(onEvent, options)
}

export function fromNode(request: NodeRequest): Incoming {
  return {
    method: request.method,
    headers: request.headers,
    readBody: async (maxBytes) => {
      const given = [request.rawBody, request.body].find((body) => body !== undefined)
      if (given !== undefined) return limit(given as Uint8Array | string, maxBytes)
      const contentLength = request.headers['content-length']
      return await readBody(bytesOf(request), {
        maxBytes,
        contentLength: contentLength as string | undefined,
      })
    },
  }
}

function send(response: NodeResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': String(body.length) }).end(body)
}

function limit(body: Uint8Array | string, maxBytes: number): Uint8Array | string {
  if (body.length > maxBytes) throw new BodyTooLarge()
  return body
}

/** Keeps the request open if reading stops early, so that it can be answered. */
async function* bytesOf(request: NodeRequest): AsyncGenerator<Uint8Array> {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array)
  }
}
