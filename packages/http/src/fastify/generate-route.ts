import type { FastifyInstance, FastifyReply } from 'fastify'
import { parseJsonBody } from '../body/json-body.ts'
import { ClientGone } from '../generate/client-gone.ts'
import { handleGenerate } from '../generate/handle-generate.ts'
import type { Setup } from '../options.ts'
import { send } from './send.ts'

export function addGenerateRoute(app: FastifyInstance, setup: Setup): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/generate', { config: { scope: 'generate' } }, async (request, reply) => {
    const body = parseJsonBody(request.body instanceof Uint8Array ? request.body : new Uint8Array())
    const answer = await handleGenerate({ requestId: request.id, body, signal: goneSignal(reply) }, setup)
    return send(reply, answer)
  })
}

/** Aborts when the connection ends before the answer does. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new ClientGone())
  })
  return gone.signal
}
