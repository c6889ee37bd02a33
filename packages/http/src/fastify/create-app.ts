import { StagecraftError } from '@stagecraft/spec'
import { type FastifyBaseLogger, type FastifyInstance, LogController, fastify } from 'fastify'
import { type Answer, Refusal, success } from '../answers/answer.ts'
import type { ApiOptions } from '../api/api-options.ts'
import { printDocsPage } from '../docs/docs-page.ts'
import { type DocumentOptions, createDocument } from '../document/document.ts'
import { memoryIdempotency } from '../idempotency/memory-idempotency.ts'
import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts'
import { type BindingOptions, type Setup, fillOptions } from '../options.ts'
import { type Serve, servesApi, servesGenerate } from '../serve.ts'
import { addApiRoutes } from './api-routes.ts'
import { addDashboardRoutes, type Dashboard } from './dashboard-routes.ts'
import { addErrorAnswers, answerClientError, answerFrameworkError } from './error-answers.ts'
import { addGenerateRoute } from './generate-route.ts'
import { addMcpRoute, type McpEndpoint } from './mcp-route.ts'
import { addAdmission } from './route-admission.ts'
import { addBodyParser, send } from './send.ts'

/**
 * Closes each connection with its response while the app shuts down. Returns a signal that aborts when the
 * shutdown begins.
 */
function addClosing(app: FastifyInstance): AbortSignal {
  const closing = new AbortController()
  app.addHook('preClose', (done) => {
    closing.abort()
    done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing.signal.aborted) reply.header('connection', 'close')
    done()
  })
  return closing.signal
}

/** Logs one line for each response, with the path of the URL but not its query. */
function addRequestLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const fields = {
      requestId: request.id,
      method: request.method,
      path: request.url.split('?', 1)[0],
      ...(reply.raw.writableFinished && { status: reply.statusCode }),
      milliseconds: Math.round(reply.elapsedTime * 10) / 10,
      ...(request.holder && { key: request.holder.id }),
    }
    app.log.info(fields, reply.raw.writableFinished ? 'request completed' : 'client disconnected')
    done()
  })
}

/** Adds `GET /metrics` for Prometheus. It is open, like health: counters are not secret. */
function addMetricsRoute(app: FastifyInstance, metrics: () => Promise<string>): void {
  app.get('/metrics', async (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
      .send(await metrics()),
  )
}

/** Adds `/openapi.json` and its page `/docs`. Both are made on the first request. */
function addDocumentRoutes(app: FastifyInstance, options: DocumentOptions): void {
  let json: string | undefined
  let page: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    json ??= JSON.stringify(createDocument(options))
    return reply.header('content-type', 'application/json; charset=utf-8').send(json)
  })
  app.get('/docs', (_request, reply) => {
    page ??= printDocsPage(createDocument(options))
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'")
      .header('x-content-type-options', 'nosniff')
      .send(page)
  })
}

interface HealthSetup extends Setup {
  readonly closing: AbortSignal
  readonly ready: (() => Promise<void>) | undefined
}

/** Adds `/healthz` (the process is alive) and `/readyz` (it is ready to take traffic). */
function addHealthRoutes(app: FastifyInstance, { clock, closing, logger, ready }: HealthSetup): void {
  const answer = (status: 'ok' | 'ready', requestId: string): Answer =>
    success({ status }, { requestId, timestamp: new Date(clock.now()).toISOString(), tokensUsed: 0 })
  app.get('/healthz', (request, reply) => send(reply, answer('ok', request.id)))
  app.get('/readyz', async (request, reply) => {
    if (closing.aborted) throw notReady('the service is stopping')
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

export interface AppOptions extends BindingOptions {
  /** A pino logger or one with the same methods. Default: nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** Rejects while a dependency of the service is unavailable; called by `GET /readyz`. Default: always ready. */
  readonly ready?: () => Promise<void>
  /** The interface under `/v1`. Default: none, and no store. */
  readonly api?: ApiOptions
  /**
   * Selects the routes to serve: `POST /generate`, `/v1`, both, or neither, for a worker with health checks alone.
   * Health and documents are always served.
   *
   * @default 'all'
   */
  readonly serve?: Serve
  /** The pages under `/app`, beside `/v1`: `openDashboard()` of `@stagecraft/dashboard`. Default: none. */
  readonly dashboard?: Dashboard
  /** The tools of the assistant at `/mcp`, beside `/v1`: `serviceMcp()` of `@stagecraft/service`. Default: no route. */
  readonly mcp?: McpEndpoint
  /** Prints the text of `GET /metrics`, which needs no key. Default: no route. */
  readonly metrics?: () => Promise<string>
}

/** The limit of sign-ins for one client address. Keys cannot be guessed; the limit keeps programs from trying. */
const SIGN_INS = { requests: 30, seconds: 60 }

/** The time limit for a request to arrive, so that a slow sender cannot occupy a connection. */
const REQUEST_TIMEOUT_MS = 60_000

/**
 * Creates the service: `POST /generate`, everything under `/v1` if `api` is set, health, the API document and its
 * page. Start it with `await app.listen({ port: 8080 })`.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { api, dashboard, logger, mcp, metrics, ready, serve = 'all' } = options
  if (serve === 'api' && !api)
    throw new StagecraftError('INVALID_REQUEST', "serve: 'api' needs the option api")
  const setup = fillOptions(options, logger)
  const idempotency = api && (api.idempotency ?? memoryIdempotency({ clock: setup.clock }))
  const app = createServer(setup, logger)
  const closing = addClosing(app)
  addErrorAnswers(app, setup)
  const signIns = api && (api.signIns ?? memoryRateLimiter({ ...SIGN_INS, clock: setup.clock }))
  addAdmission(app, { ...setup, sessions: api?.sessions, signIns })
  if (logger) addRequestLog(app)
  addHealthRoutes(app, { ...setup, closing, ready })
  addBodyParser(app)
  if (servesGenerate(serve)) addGenerateRoute(app, { ...setup, idempotency })
  if (api && idempotency && servesApi(serve)) addApiRoutes(app, { ...setup, api, closing, idempotency })
  if (api && dashboard && servesApi(serve)) addDashboardRoutes(app, { dashboard, logger: setup.logger })
  if (mcp && servesApi(serve)) addMcpRoute(app, mcp)
  if (metrics) addMetricsRoute(app, metrics)
  addDocumentRoutes(app, {
    api: api !== undefined,
    serve,
    metrics: metrics !== undefined,
    ...(api?.operations && { operations: api.operations }),
  })
  return app
}

function createServer(setup: Setup, logger: FastifyBaseLogger | undefined): FastifyInstance {
  return fastify({
    ...(logger && { loggerInstance: logger }),
    bodyLimit: setup.bodyBytes,
    clientErrorHandler: (error, socket) => answerClientError(error, { socket, setup }),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    frameworkErrors: (_error, request, reply) => answerFrameworkError(request, reply),
    genReqId: () => setup.ids.next('req'),
    // Otherwise Node itself rejects a request without the header Host, and without an envelope.
    http: { requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MS,
    return503OnClosing: false,
    // Routes reject longer values themselves; Node limits the length of the URL.
    routerOptions: { maxParamLength: 16_384 },
  })
}
