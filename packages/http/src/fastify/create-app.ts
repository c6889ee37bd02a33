import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { StagecraftError } from '@stagecraft/spec'
import type { ApiOptions } from '../api/api-options.ts'
import { memoryIdempotency } from '../idempotency/memory-idempotency.ts'
import { type Serve, servesApi, servesGenerate } from '../serve.ts'
import { fillOptions, type BindingOptions, type Setup } from '../options.ts'
import { addApiRoutes } from './api-routes.ts'
import { addDocumentRoutes } from './document-routes.ts'
import { answerClientError } from './client-error.ts'
import { addErrorAnswers, answerFrameworkError } from './error-answers.ts'
import { addGenerateRoute } from './generate-route.ts'
import { addHealthRoutes } from './health-routes.ts'
import { addMetricsRoute } from './metrics-route.ts'
import { addBodyParser } from './send.ts'
import { addAdmission } from './route-admission.ts'
import { addRequestLog } from './request-log.ts'
import { addClosing } from './closing.ts'

export interface AppOptions extends BindingOptions {
  /** A logger of pino, or like one. Default: nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** Rejects while what the service stands on is not there; asked by `GET /readyz`. Default: always ready. */
  readonly ready?: () => Promise<void>
  /** The interface under `/v1`. Default: there is none, and no store. */
  readonly api?: ApiOptions
  /**
   * Selects the base addresses of the contract that the app serves: `POST /generate`, `/v1`, both, or none of
   * them, as a worker that only says whether it lives. Health and documents are at each.
   *
   * @default 'all'
   */
  readonly serve?: Serve
  /** The text of `GET /metrics`, which is open. Default: there is no such route. */
  readonly metrics?: () => Promise<string>
}

/** The time a request may take to arrive, so that a slow sender cannot hold a connection. */
const REQUEST_TIMEOUT_MILLISECONDS = 60_000

/**
 * The service: `POST /generate`, with `api` all under `/v1`, health, the API document and a page made from it. It does not
 * listen yet: `await app.listen({ port: 8080 })`.
 */
export function createApp(options: AppOptions): FastifyInstance {
  const { api, logger, metrics, ready, serve = 'all' } = options
  if (serve === 'api' && !api)
    throw new StagecraftError('INVALID_REQUEST', "serve: 'api' expects the option api")
  const setup = fillOptions(options, logger)
  const idempotency = api && (api.idempotency ?? memoryIdempotency({ clock: setup.clock }))
  const app = createServer(setup, logger)
  const isClosing = addClosing(app)
  addErrorAnswers(app, setup)
  addAdmission(app, setup)
  if (logger) addRequestLog(app)
  addHealthRoutes(app, { ...setup, isClosing, ready })
  addBodyParser(app)
  if (servesGenerate(serve)) addGenerateRoute(app, { ...setup, idempotency })
  if (api && idempotency && servesApi(serve)) addApiRoutes(app, { ...setup, api, idempotency })
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
    // Node itself answers a request without the header Host, and not by an envelope.
    http: { requireHostHeader: false },
    requestTimeout: REQUEST_TIMEOUT_MILLISECONDS,
    return503OnClosing: false,
    // Longer values are answered by what their route says of them; Node itself bounds the address.
    routerOptions: { maxParamLength: 16_384 },
  })
}
