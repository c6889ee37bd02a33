import type { Deprecation, Operation } from '@stagecraft/spec/api'
import { isDeepStrictEqual } from 'node:util'
import type { z } from '@stagecraft/spec/zod'
import { printSessionCookie } from '../admission/session-cookie.ts'
import { type Answer, success } from '../answers/answer.ts'
import { fillPath } from './paths.ts'
import { type LooseReply, entityTag, memberOf } from './read-call.ts'

/** @throws {Error} When `data` is not what its schema says, or has members that are not in it. */
export function checkAnswer(data: unknown, schema: z.ZodType): void {
  const sent: unknown = JSON.parse(JSON.stringify(data))
  const result = schema.safeParse(sent)
  if (!result.success) throw new Error(`an answer that its schema refuses: ${result.error.message}`)
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), sent)) {
    throw new Error('an answer has members that its schema does not have')
  }
}

/** Offers a file under its name: in ASCII for every client, and as it is for those of RFC 6266. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w .()+,-]/g, '_')
  const parts = ['attachment', `filename="${ascii}"`]
  if (ascii !== fileName) parts.push(`filename*=UTF-8''${encode(fileName)}`)
  return parts.join('; ')
}

/**
 * Encodes also `'()*`, which `encodeURIComponent` leaves and RFC 8187 does not allow. An unpaired surrogate
 * has no UTF-8 form.
 */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The fields of RFC 9745 and RFC 8594. */
export function deprecationHeaders({
  since,
  successor,
  sunset,
}: Deprecation): Readonly<Record<string, string>> {
  const links = ['</docs>; rel="deprecation"; type="text/html"']
  if (successor !== undefined) links.push(`<${successor}>; rel="successor-version"`)
  return {
    deprecation: `@${Date.parse(`${since}T00:00:00Z`) / 1000}`,
    sunset: new Date(`${sunset}T00:00:00Z`).toUTCString(),
    link: links.join(', '),
  }
}

interface Exchange {
  readonly operation: Operation
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  /** As it was asked for, with its query. */
  readonly url: string
  readonly timestamp: string
  /** The header `Host`. */
  readonly host: string | undefined
}

/** A reply as it goes over the wire: the envelope, and what headers say of it. */
export function answerReply(reply: LooseReply, exchange: Exchange): Answer {
  const { host, operation, params, requestId, timestamp, url } = exchange
  const { cookie, data, nextCursor, status = operation.status ?? 200, tokensUsed = 0 } = reply
  if (typeof data !== 'object' || data === null) throw new TypeError('a handler answered no data')
  const answer = success(data, {
    requestId,
    timestamp,
    tokensUsed,
    ...(nextCursor !== undefined && { nextCursor }),
  })
  const version = operation.hasVersion ? memberOf(data, 'version') : undefined
  const id = memberOf(data, 'id')
  const headers = {
    ...answer.headers,
    ...(typeof version === 'number' && {
      etag: entityTag(version, data),
      'cache-control': 'private, no-cache',
    }),
    ...(status !== 200 &&
      operation.location !== undefined &&
      typeof id === 'string' && { location: fillPath(operation.location, { ...params, id }) }),
    ...(cookie !== undefined && { 'set-cookie': printSessionCookie(cookie, host) }),
    ...(nextCursor !== undefined && { link: `<${nextPage(url, nextCursor)}>; rel="next"` }),
  }
  return { status, headers, body: answer.body }
}

/** A reply that is a stream of messages; nobody in between may collect them. */
export function streamHead(requestId: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/event-stream; charset=utf-8',
    // It is used for nothing else, and a service that stops waits for no connection.
    connection: 'close',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
}

/** A reply that is a file. */
export function answerFile(reply: LooseReply, { operation, requestId }: Exchange) {
  const { bytes, fileName, media = operation.media, status = operation.status ?? 200 } = reply
  if (!bytes || fileName === undefined || media === undefined)
    throw new TypeError('a handler answered no file')
  const headers = {
    'content-type': media,
    'content-disposition': contentDisposition(fileName),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
  return { status, headers, body: bytes }
}

function nextPage(url: string, cursor: string): string {
  const [path = '', query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.set('cursor', cursor)
  return `${path}?${parameters.toString()}`
}
