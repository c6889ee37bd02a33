import type { Operation } from '@stagecraft/spec/api'
import { type Answer, success } from '../answers/answer.ts'
import { contentDisposition } from './content-disposition.ts'
import { type LooseReply, memberOf } from './loose.ts'
import { fillPath } from './paths.ts'
import { entityTag } from './preconditions.ts'

interface Exchange {
  readonly operation: Operation
  readonly requestId: string
  readonly params: Readonly<Record<string, string>>
  /** As it was asked for, with its query. */
  readonly url: string
  readonly timestamp: string
}

/** A reply as it goes over the wire: the envelope, and what headers say of it. */
export function answerReply(reply: LooseReply, exchange: Exchange): Answer {
  const { operation, params, requestId, timestamp, url } = exchange
  const { data, nextCursor, status = operation.status ?? 200, tokensUsed = 0 } = reply
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
    ...(nextCursor !== undefined && { link: `<${nextPage(url, nextCursor)}>; rel="next"` }),
  }
  return { status, headers, body: answer.body }
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
