import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { StubReply } from './stub-server.ts'

export const REQUEST_ID = 'req_0123'

const IDS = { 'request-id': REQUEST_ID, 'x-request-id': REQUEST_ID }

/** Makes retries follow at once, so tests need not wait. */
const SOON = { 'retry-after-ms': '1' }

export type Headers = Readonly<Record<string, string>>

export function json(body: unknown, status = 200, headers: Headers = {}): StubReply {
  return text(JSON.stringify(body), { status, headers })
}

export function text(
  body: string,
  {
    status = 200,
    type = 'application/json',
    headers = {},
  }: { readonly status?: number; readonly type?: string; readonly headers?: Headers } = {},
): StubReply {
  return (response) => {
    response.writeHead(status, { 'content-type': type, ...IDS, ...SOON, ...headers }).end(body)
  }
}

/** Sends frames, then ends the stream, breaks the connection, or stays silent. */
export function events(frames: readonly string[], ending: 'end' | 'reset' | 'hang' = 'end'): StubReply {
  return async (response) => {
    startEvents(response)
    response.write(frames.join(''))
    if (ending === 'end') response.end()
    if (ending !== 'reset') return
    // Without a pause the frames would never be sent.
    await new Promise((resolve) => setTimeout(resolve, 20))
    response.destroy()
  }
}

/** Repeats its last frame until the client disconnects. */
export function endlessEvents(head: readonly string[], frame: string): StubReply {
  return async (response) => {
    startEvents(response)
    response.write(head.join(''))
    await repeat(response, frame)
  }
}

/** Repeats a chunk until the client disconnects. */
export function endlessText(
  piece: string,
  { status, type }: { readonly status: number; readonly type: string },
): StubReply {
  return async (response) => {
    response.writeHead(status, { 'content-type': type, ...IDS })
    await repeat(response, piece)
  }
}

async function repeat(response: ServerResponse, piece: string): Promise<void> {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  while (!closed.signal.aborted) {
    if (!response.write(piece)) await once(response, 'drain', closed).catch(() => {})
  }
}

function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...IDS })
}

export function hang(): StubReply {
  return () => {}
}

export function reset(): StubReply {
  return (response) => {
    response.destroy()
  }
}

/** Sends only the first half of a body. */
export function halfBody(): StubReply {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"id":')
    await new Promise((resolve) => setTimeout(resolve, 20))
    response.destroy()
  }
}

/** Prints an event of a stream, named by its type if the API names events. */
export function frame(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

export function namedFrames(data: readonly { readonly type: string }[]): readonly string[] {
  return data.map((event) => frame(event, event.type))
}
