import type { ErrorEnvelope, Meta, StagecraftError } from '@stagecraft/spec'
import { Refusal } from './refusal.ts'
import { STATUS_CODES } from './status-codes.ts'

/** The answer as it goes over the wire, independent of the server. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The headers that every JSON answer has beside its request id. */
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

interface SuccessMeta extends Pick<Meta, 'requestId' | 'timestamp' | 'tokensUsed'> {
  readonly nextCursor?: string
}

/** Returns the success envelope. Its request id is that of the HTTP request. */
export function success(data: object, { requestId, ...rest }: SuccessMeta): Answer {
  const body = JSON.stringify({ success: true, data, meta: { requestId, ...rest } })
  return { status: 200, headers: { ...JSON_HEADERS, 'x-request-id': requestId }, body }
}

/** The error envelope; its `meta` holds the request id and nothing else. */
export function failure(error: StagecraftError, requestId: string): Answer {
  const { code, details, message } = error
  const envelope: ErrorEnvelope = {
    success: false,
    error: { code, message, ...(details && { details }) },
    meta: { requestId },
  }
  return {
    status: STATUS_CODES[code],
    headers: {
      ...JSON_HEADERS,
      'x-request-id': requestId,
      ...(error instanceof Refusal && error.headers),
    },
    body: JSON.stringify(envelope),
  }
}
