import type { FastifyInstance } from 'fastify'

/** While the app closes, what is in flight is answered, and its connection ends with the answer. Tells whether it does. */
export function addClosing(app: FastifyInstance): () => boolean {
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close')
    done()
  })
  return () => closing
}
