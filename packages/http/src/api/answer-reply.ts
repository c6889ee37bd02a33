import type { Deprecation, Operation } from '@stagecraft/spec/api'
import { isDeepStrictEqual } from 'node:util'
import type { z } from '@stagecraft/spec/zod'
import { printSessionCookie } from '../admission/session-cookie.ts'
import { type Answer, success } from '../answers/answer.ts'
import { type LooseReply, entityTag, memberOf } from './read-call.ts'

/** @throws {Error} If `data` does not match its schema, or has members outside it. */
export function checkAnswer(data: unknown, schema: z.ZodType): void {
  const sent: unknown = JSON.parse(JSON.stringify(data))
  const result = schema.safeParse(sent)
  if (!result.success) throw new Error(`a response does not match its schema: ${result.error.message}`)
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), sent)) {
    throw new Error('a response has members that are not in its schema')
  }
}

/** Names a download twice: in ASCII for every client, and in full for clients that know RFC 6266. */
function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^\w .()+,-]/g, '_')
  const parts = ['attachment', `filename="${ascii}"`]
  if (ascii !== fileName) parts.push(`filename*=UTF-8''${encode(fileName)}`)
  return parts.join('; ')
}

/**
 * Also encodes `'()*`, which `encodeURIComponent` leaves and RFC 8187 forbids. Unpaired surrogates are replaced,
 * because they have no UTF-8 form.
 */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Returns the headers of RFC 9745 and RFC 8594. */
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
  /** The URL as requested, with its query. */
  readonly url: string
  readonly timestamp: string
  /** The header `Host`. */
  readonly host: string | undefined
}

/** Returns a reply as it is sent: the envelope and its headers. */
export function answerReply(reply: LooseReply, exchange: Exchange): Answer {
  const { host, operation, params, requestId, timestamp, url } = exchange
  const { cookie, data, nextCursor, status = operation.status ?? 200, tokensUsed = 0 } = reply
  if (typeof data !== 'object' || data === null) throw new TypeError('a handler returned no data')
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

/** Puts values into the braces of a path. */
function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })
}

/** Returns the headers of a stream of messages, which proxies must not buffer. */
export function streamHead(requestId: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/event-stream; charset=utf-8',
    // The connection is used for nothing else, so a stopping service need not wait for it.
    connection: 'close',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
  }
}

/** Returns a reply that is a file. */
export function answerFile(reply: LooseReply, { operation, requestId }: Exchange) {
  const { bytes, fileName, media = operation.media, status = operation.status ?? 200 } = reply
  if (!bytes || fileName === undefined || media === undefined)
    throw new TypeError('a handler returned no file')
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
