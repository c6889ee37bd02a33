import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { fillOptions, type ServiceOptions } from '../options.ts'
import { addDocumentRoutes } from './document-routes.ts'
import { answerClientError } from './client-error.ts'
import { addErrorAnswers, answerFrameworkError } from './error-answers.ts'
import { addGenerateRoute } from './generate-route.ts'
import { addHealthRoutes } from './health-routes.ts'
import { addAdmission } from './route-admission.ts'
import { addRequestLog } from './request-log.ts'
import { addClosing } from './closing.ts'

export interface AppOptions extends ServiceOptions {
  /** A logger of pino, or like one. Default: nothing is logged. */
  readonly logger?: FastifyBaseLogger
  /** Rejects while what the service stands on is not there; asked by `GET /readyz`. Default: always ready. */
  readonly ready?: () => Promise<void>
}

/** How long a request may take to arrive: a sender that drips bytes holds a connection no longer. */
const REQUEST_TIMEOUT_MILLISECONDS = 60_000

/**
 * The service over an engine alone: `POST /generate`, health, the API document and a page made from it. It does not
 * listen yet: `await app.listen({ port: 8080 })`.
 */
export function createApp({ logger, ready, ...options }: AppOptions): FastifyInstance {
  const setup = fillOptions(options, logger)
  const app: FastifyInstance = fastify({
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
  })
  const closing = addClosing(app)
  addErrorAnswers(app, setup)
  addAdmission(app, setup)
  if (logger) addRequestLog(app)
  addHealthRoutes(app, { ...setup, isClosing: closing, ready })
  addGenerateRoute(app, setup)
  addDocumentRoutes(app)
  return app
}
