import type { FastifyInstance } from 'fastify'

/** One line for each answer. Of the address only the path: what follows it is the caller's. */
export function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const fields = {
      requestId: request.id,
      method: request.method,
      path: request.url.split('?', 1)[0],
      ...(reply.raw.writableFinished && { status: reply.statusCode }),
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.holder && { key: request.holder.id }),
    }
    app.log.info(fields, reply.raw.writableFinished ? 'answered' : 'not answered: the client disconnected')
    done()
  })
}
