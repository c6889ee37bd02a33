import { API_OPERATIONS, type Operation } from '@stagecraft/spec/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../admission/admit.ts'
import { answerFile, answerReply } from '../api/answer-reply.ts'
import type { ApiOptions } from '../api/api-options.ts'
import { checkAnswer } from '../api/check-answer.ts'
import { deprecationHeaders } from '../api/deprecation-headers.ts'
import type { LooseHandler } from '../api/loose.ts'
import { toRoute } from '../api/paths.ts'
import { namesTag } from '../api/preconditions.ts'
import { type ReadCall, readCall } from '../api/read-call.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { Setup } from '../options.ts'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import { goneSignal, rawBody, send, type Sendable } from './send.ts'
import { paramsOf } from './route-admission.ts'

/** The day of the interface under `/v1`; what is added to it keeps the day, what breaks it gets another segment. */
const API_VERSION = '2026-11-21'

interface ApiSetup extends Setup {
  readonly api: ApiOptions
  readonly idempotency: IdempotencyStore
}

interface Route extends ApiSetup {
  readonly operation: Operation
  readonly handler: LooseHandler
}

/** Every operation of the table as a route. */
export function addApiRoutes(app: FastifyInstance, setup: ApiSetup): void {
  const { handlers, operations = API_OPERATIONS } = setup.api
  // Each handler takes what its own schemas have let through, which only the table knows.
  const loose = handlers as unknown as Readonly<Record<string, LooseHandler>>
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const handler = loose[id]
    if (!handler) throw new TypeError(`there is no handler for the operation ${id}`)
    const route = { ...setup, operation, handler }
    app.route({
      method: operation.method,
      url: toRoute(operation.path),
      config: {
        scope: operation.scope,
        needsProject: true,
        isBodyOptional: operation.isBodyOptional ?? operation.body === undefined,
        standingHeaders: {
          'api-version': API_VERSION,
          ...(operation.deprecated && deprecationHeaders(operation.deprecated)),
        },
      },
      handler: async (request, reply) => send(reply, await answer(request, reply, route)),
    })
  }
}

async function answer(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<Sendable> {
  const { operation } = route
  const caller = request.holder && callerOf(request.holder)
  if (!caller) throw new TypeError('a route under /v1 was reached without a project')
  const read = readCall(
    {
      caller,
      requestId: request.id,
      params: paramsOf(request),
      query: request.query,
      headers: request.headers,
      bytes: rawBody(request),
      signal: goneSignal(reply),
    },
    operation,
  )
  const answered = withStandingLinks(await run(read, request, route), reply)
  const tag = answered.headers['etag']
  const isKnown = operation.method === 'GET' && tag !== undefined
  return isKnown && namesTag(request.headers['if-none-match'], tag) ? notModified(answered) : answered
}

async function run(read: ReadCall, request: FastifyRequest, route: Route): Promise<Sendable> {
  const { api, clock, handler, idempotency, logger, operation } = route
  const { call, idempotencyKey, rawBody: body } = read
  const exchange = { operation, requestId: request.id, params: call.params, url: request.url }
  const timestamp = (): string => new Date(clock.now()).toISOString()
  if (!operation.data) return answerFile(await handler(call), { ...exchange, timestamp: timestamp() })
  const { data: schema } = operation
  const work = async () => {
    const reply = await handler(call)
    if (api.checkAnswers) checkAnswer(reply.data, schema)
    return answerReply(reply, { ...exchange, timestamp: timestamp() })
  }
  if (idempotencyKey === undefined) return work()
  const address = request.url.split('?', 1)[0] ?? ''
  const identity = { holderId: call.caller.keyId, route: `${operation.method} ${operation.path}` }
  return runOnce(work, {
    request: { ...identity, key: idempotencyKey, address, body },
    store: idempotency,
    logger,
    requestId: request.id,
  })
}

/** The next page of an operation that is deprecated: one header `Link` for both. */
function withStandingLinks(answered: Sendable, reply: FastifyReply): Sendable {
  const standing = reply.getHeader('link')
  const { link } = answered.headers
  if (typeof standing !== 'string' || link === undefined) return answered
  return { ...answered, headers: { ...answered.headers, link: `${standing}, ${link}` } }
}

/** Answers that the client's copy is still valid. */
function notModified({ headers }: Sendable): Sendable {
  const { 'content-type': _, ...kept } = headers
  return { status: 304, headers: kept, body: undefined }
}
