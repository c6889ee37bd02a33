import { StagecraftError } from '@stagecraft/spec'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '../answers/answer.ts'
import { notFound } from '../answers/not-found.ts'
import { answerError } from '../answers/public-error.ts'
import { bodyTooLarge } from '../body/json-body.ts'
import type { Setup } from '../options.ts'
import { allowedMethods } from './allowed-methods.ts'
import { send } from './send.ts'

/** Makes every failure the error envelope: unknown paths, wrong methods, what Fastify refuses, what routes throw. */
export function addErrorAnswers(app: FastifyInstance, { bodyBytes, logger }: Setup): void {
  const methodsOf = allowedMethods(app)
  app.setErrorHandler((error, request, reply) => {
    const translated = translate(error, bodyBytes)
    // A body that is refused is still read to its end, so that its sender gets to see why.
    if (translated !== error) reply.removeHeader('connection')
    return send(reply, answerError(translated, { logger, requestId: request.id }))
  })
  // Before any body is read; an app-wide hook also runs where no route is.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(request.is404 ? missing(request, methodsOf) : undefined)
  })
  // Node alone would answer an unknown expectation, and not by an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/** Answers addresses that cannot be read: `/%zz`. No hook runs for them. */
export function answerFrameworkError(request: FastifyRequest, reply: FastifyReply): void {
  void send(
    reply,
    failure(
      missing(request, () => []),
      request.id,
    ),
  )
}

function missing(request: FastifyRequest, methodsOf: (path: string) => readonly string[]): StagecraftError {
  const path = decode(request.url.split('?', 1)[0] ?? '')
  return notFound(request.method, path, methodsOf(path))
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Translates Fastify's own errors into those of the contract. */
function translate(error: unknown, bodyBytes: number): unknown {
  if (!isFastifyError(error)) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(bodyBytes)
  const { statusCode = 500 } = error
  if (statusCode < 400 || statusCode >= 500) return error
  const received =
    error.code === 'ECONNRESET'
      ? 'the end of the request before that'
      : `a request that is refused as ${error.code}`
  return StagecraftError.invalid([{ path: '', expected: 'a whole request', received }], {
    subject: 'the request',
  })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}
