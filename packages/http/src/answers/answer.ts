import {
  type ErrorCode,
  type ErrorEnvelope,
  type Meta,
  redactError,
  redactMessages,
  StagecraftError,
  type StagecraftErrorOptions,
} from '@stagecraft/spec'

/** The HTTP status of each error code; a code without a row does not compile. */
export const STATUS_CODES = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
  INVALID_REQUEST: 400,
  INVALID_SOURCE: 400,
  GENERATION_FAILED: 500,
  CONNECTION_FAILED: 502,
} as const satisfies Record<ErrorCode, number>

interface RefusalOptions extends StagecraftErrorOptions {
  readonly headers: Readonly<Record<string, string>>
}

/** An error that adds headers to its response: `WWW-Authenticate`, `Retry-After`, `Allow`. */
export class Refusal extends StagecraftError {
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, { headers, ...options }: RefusalOptions) {
    super(code, message, options)
    this.headers = headers
  }
}

/** A response as it is sent, independent of the server. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The challenge that every 401 carries. */
export const CHALLENGE = 'Bearer realm="stagecraft"'

/** The headers of every JSON response, besides its request id. */
const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const

interface SuccessMeta extends Pick<Meta, 'requestId' | 'timestamp' | 'tokensUsed'> {
  readonly nextCursor?: string
}

/** Returns the success envelope, with the request id of the HTTP request. */
export function success(data: object, { requestId, ...rest }: SuccessMeta): Answer {
  const body = JSON.stringify({ success: true, data: redactMessages(data), meta: { requestId, ...rest } })
  return { status: 200, headers: { ...JSON_HEADERS, 'x-request-id': requestId }, body }
}

/** Returns the error envelope. Its `meta` has only the request id. */
export function failure(error: StagecraftError, requestId: string): Answer {
  const { code, details, message } = error
  const envelope: ErrorEnvelope = {
    success: false,
    // Messages repeat input, such as addresses with secrets in their parameters.
    error: redactError({ code, message, ...(details && { details }) }),
    meta: { requestId },
  }
  return {
    status: STATUS_CODES[code],
    headers: {
      ...JSON_HEADERS,
      'x-request-id': requestId,
      ...(code === 'UNAUTHORIZED' && { 'www-authenticate': CHALLENGE }),
      ...(error instanceof Refusal && error.headers),
    },
    body: JSON.stringify(envelope),
  }
}

/** Creates the error for an unknown path, or a path that has other methods. */
export function notFound(method: string, path: string, allowed: readonly string[]): StagecraftError {
  const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path
  if (allowed.length === 0) {
    return new StagecraftError('NOT_FOUND', `no such path: ${shown}; /openapi.json lists all paths`)
  }
  const suggestion = `use ${allowed.join(' or ')}`
  return new Refusal('NOT_FOUND', `${shown} does not accept the method ${method}; ${suggestion}`, {
    headers: { allow: allowed.join(', ') },
    details: { suggestion },
  })
}

/** The abort reason when the client no longer waits for the response. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected'
}
