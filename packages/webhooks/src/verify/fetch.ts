import { readBody } from './read-body.ts'
import { type HandlerOptions, type OnEvent, receiver } from './receive.ts'

/** Creates a handler for platforms with `fetch`: Workers, Deno, Bun, Next.js and others. */
export function fetchHandler(
  onEvent: OnEvent<Request>,
  options: HandlerOptions,
): (request: Request) => Promise<Response> {
  const receive = receiver(options)
  return async (request) => {
    const incoming = { method: request.method, headers: request.headers, readBody: readerOf(request) }
    const { status, headers, body } = await receive(incoming, (event) => onEvent(event, request))
    return new Response(body, { status, headers })
  }
}

export function readerOf(request: Request): (maxBytes: number) => Promise<Uint8Array> {
  return async (maxBytes) =>
    await readBody(chunksOf(request), { maxBytes, contentLength: request.headers.get('content-length') })
}

/** Uses a reader, because not every browser can iterate a stream. */
async function* chunksOf({ body }: Request): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}
