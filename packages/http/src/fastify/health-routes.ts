import type { FastifyInstance } from 'fastify'
import { type Answer, success } from '../answers/answer.ts'
import { Refusal } from '../answers/refusal.ts'
import type { Setup } from '../options.ts'
import { send } from './send.ts'

interface HealthSetup extends Setup {
  readonly isClosing: () => boolean
  readonly ready: (() => Promise<void>) | undefined
}

/** `/healthz`: the process answers. `/readyz`: it wants requests. */
export function addHealthRoutes(
  app: FastifyInstance,
  { clock, isClosing, logger, ready }: HealthSetup,
): void {
  const answer = (status: 'ok' | 'ready', requestId: string): Answer =>
    success({ status }, { requestId, timestamp: new Date(clock.now()).toISOString(), tokensUsed: 0 })
  app.get('/healthz', (request, reply) => send(reply, answer('ok', request.id)))
  app.get('/readyz', async (request, reply) => {
    if (isClosing()) throw notReady('the service is stopping')
    await ready?.().catch((error: unknown) => {
      logger.warn({ requestId: request.id, error: String(error) }, 'not ready')
      throw notReady('a dependency is unavailable')
    })
    return send(reply, answer('ready', request.id))
  })
}

function notReady(reason: string): Refusal {
  return new Refusal('CONNECTION_FAILED', `not ready: ${reason}`, { headers: {}, details: { reason } })
}
