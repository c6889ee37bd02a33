import type { FastifyInstance } from 'fastify'
import { callerOf } from '../admission/admit.ts'
import { parseJsonBody } from '../body/json-body.ts'
import { handleGenerate } from '../generate/handle-generate.ts'
import { invalidIdempotencyKey, readIdempotencyKey, runOnce } from '../idempotency/run-once.ts'
import type { Setup } from '../options.ts'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import { disconnectSignal, rawBody, send } from './send.ts'

interface GenerateRouteSetup extends Setup {
  /** Undefined without a store: generating then changes nothing, so it can be repeated safely. */
  readonly idempotency: IdempotencyStore | undefined
}

export function addGenerateRoute(app: FastifyInstance, setup: GenerateRouteSetup): void {
  const { idempotency, logger } = setup
  const config = { scope: 'generate' as const, needsProject: idempotency !== undefined }
  app.post('/generate', { config }, async (request, reply) => {
    const { holder, id: requestId } = request
    const body = parseJsonBody(rawBody(request))
    const caller = holder && callerOf(holder)
    const work = () => handleGenerate({ requestId, body, caller, signal: disconnectSignal(reply) }, setup)
    const key = idempotency && readIdempotencyKey(request.headers)
    if (!idempotency || !key) return send(reply, await work())
    if ('fault' in key) throw invalidIdempotencyKey(key.fault)
    const identity = { key: key.value, holderId: holder?.id ?? '', route: 'POST /generate' }
    const answer = await runOnce(work, {
      request: { ...identity, address: '/generate', body },
      store: idempotency,
      logger,
      requestId,
    })
    return send(reply, answer)
  })
}
