import { API_OPERATIONS, type Operation } from '@stagecraft/spec/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../admission/admit.ts'
import { answerFile, answerReply, checkAnswer, deprecationHeaders, streamHead } from '../api/answer-reply.ts'
import type { ApiOptions } from '../api/api-options.ts'
import { type LooseHandler, type ReadCall, memberOf, namesTag, readCall } from '../api/read-call.ts'
import { parameterNames, toRoute } from '../api/paths.ts'
import { printMessages } from '../api/print-messages.ts'
import { runOnce } from '../idempotency/run-once.ts'
import type { Setup } from '../options.ts'
import type { IdempotencyStore } from '../ports/idempotency.ts'
import { disconnectSignal, rawBody, send, type Sendable } from './send.ts'
import { paramsOf } from './route-admission.ts'
import { Readable } from 'node:stream'

/** The date of the interface under `/v1`. Additions keep the date; breaking changes get a new path prefix. */
const API_VERSION = '2026-11-21'

interface ApiSetup extends Setup {
  /** Aborts when the app closes. */
  readonly closing: AbortSignal
  readonly api: ApiOptions
  readonly idempotency: IdempotencyStore
}

interface Route extends ApiSetup {
  readonly operation: Operation
  readonly handler: LooseHandler
  /** The operation whose stream can replace the response. */
  readonly streaming: { readonly operation: Operation; readonly handler: LooseHandler } | undefined
}

/** Adds a route for every operation of the table. */
export function addApiRoutes(app: FastifyInstance, setup: ApiSetup): void {
  const { handlers, operations = API_OPERATIONS } = setup.api
  // The schemas of the table check the input of each handler; the types cannot express that.
  const loose = handlers as unknown as Readonly<Record<string, LooseHandler>>
  const table: Readonly<Record<string, Operation>> = operations
  const find = (id: string): { readonly operation: Operation; readonly handler: LooseHandler } => {
    const [operation, handler] = [table[id], loose[id]]
    if (operation && handler) return { operation, handler }
    throw new TypeError(`there is no handler for the operation ${id}`)
  }
  for (const id of Object.keys(table)) {
    const { handler, operation } = find(id)
    const streaming = operation.stream === undefined ? undefined : find(operation.stream)
    const route = { ...setup, operation, handler, streaming }
    app.route({
      method: operation.method,
      url: toRoute(operation.path),
      // A HEAD has no body, so its stream would never end.
      exposeHeadRoute: !operation.message,
      config: {
        scope: operation.scope,
        needsProject: operation.scope !== 'none',
        takesSession: true,
        isBodyOptional: operation.isBodyOptional ?? operation.body === undefined,
        standingHeaders: {
          'api-version': API_VERSION,
          ...(operation.deprecated && deprecationHeaders(operation.deprecated)),
        },
      },
      handler: operation.message
        ? async (request, reply) => stream(request, reply, route)
        : (request, reply) => answer(request, reply, route),
    })
  }
}

function read(request: FastifyRequest, signal: AbortSignal, operation: Operation): ReadCall {
  const caller = request.holder && callerOf(request.holder)
  if (!caller && operation.scope !== 'none')
    throw new TypeError('a route under /v1 was reached without a project')
  const raw = {
    caller,
    requestId: request.id,
    params: paramsOf(request),
    query: request.query,
    headers: request.headers,
    bytes: rawBody(request),
    signal,
  }
  return readCall(raw, operation)
}

/** Sends messages until the client disconnects, the stream ends, or the app closes. */
async function stream(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<FastifyReply> {
  const { closing, operation } = route
  const signal = AbortSignal.any([disconnectSignal(reply), closing])
  return sendMessages(reply, read(request, signal, operation).call, route)
}

type StreamRoute = Pick<Route, 'closing' | 'handler'>

async function sendMessages(
  reply: FastifyReply,
  call: ReadCall['call'],
  { handler }: StreamRoute,
): Promise<FastifyReply> {
  const { signal } = call
  const { messages } = await handler(call)
  if (!messages) throw new TypeError('a handler returned no messages')
  return reply.headers(streamHead(call.requestId)).send(Readable.from(printMessages(messages, { signal })))
}

async function answer(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<FastifyReply> {
  const { closing, operation, streaming } = route
  const gone = disconnectSignal(reply)
  const call = read(request, gone, operation)
  const answered = withStandingLinks(await run(call, request, route), reply)
  if (streaming && call.call.wantsStream) {
    const params = { ...call.call.params, ...madeParameter(answered, operation, streaming.operation) }
    const signal = AbortSignal.any([gone, closing])
    return sendMessages(
      reply,
      { ...call.call, params, query: undefined, body: undefined, signal },
      { ...route, ...streaming },
    )
  }
  const tag = answered.headers['etag']
  const isKnown = operation.method === 'GET' && tag !== undefined
  const isSame = isKnown && namesTag(request.headers['if-none-match'], tag)
  return send(reply, isSame ? notModified(answered) : answered)
}

/** Returns the extra parameter in the path of the stream: the id of the created resource. */
function madeParameter(
  { body }: Sendable,
  made: Operation,
  streaming: Operation,
): Readonly<Record<string, string>> {
  const known = new Set(parameterNames(made.path))
  const name = parameterNames(streaming.path).find((one) => !known.has(one))
  // A response that was kept for its Idempotency-Key exists only as text.
  const envelope: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
  const id = memberOf(memberOf(envelope, 'data'), 'id')
  if (name === undefined || typeof id !== 'string') throw new TypeError('a handler returned no id')
  return { [name]: id }
}

async function run(read: ReadCall, request: FastifyRequest, route: Route): Promise<Sendable> {
  const { api, clock, handler, idempotency, logger, operation } = route
  const { call, idempotencyKey, rawBody: body } = read
  const { host } = request.headers
  const exchange = { operation, requestId: request.id, params: call.params, url: request.url, host }
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
  const identity = { holderId: call.caller?.keyId ?? '', route: `${operation.method} ${operation.path}` }
  return runOnce(work, {
    request: { ...identity, key: idempotencyKey, address, body },
    store: idempotency,
    logger,
    requestId: request.id,
  })
}

/** Joins the links to the next page and to a deprecation notice in one header `Link`. */
function withStandingLinks(answered: Sendable, reply: FastifyReply): Sendable {
  const standing = reply.getHeader('link')
  const { link } = answered.headers
  if (typeof standing !== 'string' || link === undefined) return answered
  return { ...answered, headers: { ...answered.headers, link: `${standing}, ${link}` } }
}

/** Sends 304: the client's copy is still valid. */
function notModified({ headers }: Sendable): Sendable {
  const { 'content-type': _, ...kept } = headers
  return { status: 304, headers: kept, body: undefined }
}
