import type { FastifyInstance, FastifyRequest } from 'fastify'

const NOTHING = new Uint8Array()

/** Takes every body as bytes, which routes read themselves. */
export function addBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Returns the bytes of a body; empty without one. */
export function rawBody({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : NOTHING
}
