import { StagecraftError } from '@stagecraft/spec'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { failure, notFound } from '../answers/answer.ts'
import { answerError } from '../answers/public-error.ts'
import { bodyTooLarge } from '../body/json-body.ts'
import type { Setup } from '../options.ts'
import { send } from './send.ts'

interface Known {
  readonly pattern: RegExp
  readonly methods: Set<string>
}

/** Collects the routes as they are added, to find the methods of a path: `/v1/units/unit_1` is `/v1/units/:id`. */
function allowedMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ method, url }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return (path) =>
    [...known.values()].flatMap(({ methods, pattern }) => (pattern.test(path) ? [...methods] : []))
}

function patternOf(url: string): RegExp {
  const parts = url.split('/').map((part) => {
    if (part.startsWith(':')) return '[^/]+'
    return part === '*' ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
  })
  return new RegExp(`^${parts.join('/')}$`)
}

/**
 * Responds to every failure with the error envelope: unknown paths, wrong methods, refusals of Fastify, errors of routes.
 */
export function addErrorAnswers(app: FastifyInstance, { bodyBytes, logger }: Setup): void {
  const methodsOf = allowedMethods(app)
  app.setErrorHandler((error, request, reply) => {
    const translated = translate(error, bodyBytes)
    // A refused body is still read to its end, so its sender receives the response.
    if (translated !== error) reply.removeHeader('connection')
    return send(reply, answerError(translated, { logger, requestId: request.id }))
  })
  // Runs before any body is read; an app-wide hook also runs for unknown paths.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done(request.is404 ? missing(request, methodsOf) : undefined)
  })
  // Otherwise Node itself rejects an unknown expectation, without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
}

/** Responds to URLs that cannot be decoded, `/%zz`. No hook runs for them. */
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
      ? 'the end of the connection'
      : `a request that was refused with ${error.code}`
  return StagecraftError.invalid([{ path: '', expected: 'a complete request', received }], {
    subject: 'the request',
  })
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && 'statusCode' in error
}

interface ClientErrorSetup {
  readonly socket: Socket
  readonly setup: Pick<Setup, 'ids' | 'logger'>
}

const NOT_HTTP = { expected: 'a request in HTTP/1.1', received: 'other bytes' }

const PROBLEMS: Readonly<Record<string, typeof NOT_HTTP>> = {
  HPE_HEADER_OVERFLOW: { expected: 'headers of at most 16 KiB', received: 'larger ones' },
  ERR_HTTP_REQUEST_TIMEOUT: { expected: 'the complete request within a minute', received: 'a part of it' },
}

/** Responds to bytes that are not HTTP, and ends the connection. Fastify creates no request and reply for them. */
export function answerClientError(
  error: Error & { readonly code?: string },
  { setup: { ids, logger }, socket }: ClientErrorSetup,
): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesWritten > 0
  if (error.code === 'ECONNRESET' || !socket.writable || isLate) {
    socket.destroy()
    return
  }
  const requestId = ids.next('req')
  logger.info({ requestId, code: error.code }, 'not a request')
  const { body, headers } = failure(
    StagecraftError.invalid(
      { path: '', ...(PROBLEMS[error.code ?? ''] ?? NOT_HTTP) },
      { subject: 'the request' },
    ),
    requestId,
  )
  const lines = Object.entries({ ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head}\r\n${body}`)
}
