import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, ClientDisconnected } from '../answers/answer.ts'

/** A response that may also be a file, or headers alone. */
export interface Sendable extends Omit<Answer, 'body'> {
  readonly body: string | Uint8Array | undefined
}

export function send(reply: FastifyReply, { body, headers, status }: Sendable): FastifyReply {
  return reply.code(status).headers(headers).send(body)
}

/** Returns a signal that aborts when the connection ends before the response. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new ClientDisconnected())
  })
  return gone.signal
}

const NOTHING = new Uint8Array()

/** Accepts every body as bytes, which routes parse themselves. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Returns the bytes of a body; empty without one. */
export function rawBody({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : NOTHING
}
