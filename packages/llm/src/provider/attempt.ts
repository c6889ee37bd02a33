/** The last request of a call and how far it got. */
export interface Attempt {
  /** The host and port of the request; redirects are not followed. */
  host?: string
  /** The error code of a failed connection, `ECONNREFUSED`. */
  connectionFailure?: string
  response?: AttemptResponse
  /** How the body ended; `cut` means inside an event of a stream. */
  body?: 'whole' | 'cut' | 'broken' | 'too large'
}

export interface AttemptResponse {
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
}

export interface ReadResponseOptions {
  readonly now: number
  /** The secret, which is never shown, even if a header contains it. */
  readonly secret: string | undefined
}

/** Reads the relevant headers of a response. */
export function readResponse(response: Response, options: ReadResponseOptions): AttemptResponse {
  const { headers, status } = response
  const requestId = headers.get('request-id') ?? headers.get('x-request-id') ?? ''
  const isShown =
    /^[\w-]{1,128}$/.test(requestId) && (options.secret === undefined || !requestId.includes(options.secret))
  return {
    status,
    requestId: isShown ? requestId : undefined,
    retryAfterMs: readRetryAfter(headers, options.now),
  }
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  const text = headers.get('retry-after') ?? ''
  const seconds = Number.parseFloat(text)
  const fromNow = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1000
  return fromNow >= 0 ? fromNow : undefined
}

/** Returns the code of a failed connection: of the error or its cause. */
export function connectionCode(error: unknown): string {
  for (const candidate of [error, error instanceof Error ? error.cause : undefined]) {
    const code: unknown =
      typeof candidate === 'object' && candidate !== null && 'code' in candidate ? candidate.code : undefined
    if (typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code)) return code
  }
  return 'connection failed'
}
