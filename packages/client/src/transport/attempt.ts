import { StagecraftError } from '@stagecraft/spec'
import type { Settings } from '../options.ts'
import { connectionFailed, notOfService, reasonOf, wasNeverSent } from './connection-failed.ts'
import type { Exchange, ReadResponse } from './exchange.ts'
import { MOST_BYTES, readBytes, TOO_LONG } from './read-bytes.ts'
import { readFailure } from './read-failure.ts'
import { withoutKey } from './without-key.ts'

/** The outcome of one attempt. */
export type Attempt<Answer> = { readonly answer: Answer } | Failed

interface Failed {
  readonly error: StagecraftError
  readonly mayRetry: boolean
  /** The value of `Retry-After`. */
  readonly retryAfter?: string | undefined
}

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([429, 502, 503])

/**
 * Sends a request once.
 *
 * @throws The signal's reason, when the signal stopped it.
 */
export async function attempt<Answer>(
  exchange: Exchange<Answer>,
  settings: Settings,
  signal: AbortSignal,
): Promise<Attempt<Answer>> {
  const { host } = exchange.address
  let response: Response
  try {
    response = await send(exchange, settings, signal)
  } catch (error) {
    signal.throwIfAborted()
    const mayRetry = exchange.mayRepeat || wasNeverSent(error)
    return { error: connectionFailed(host, reasonOf(error)), mayRetry }
  }
  if (isRedirect(response)) {
    await response.body?.cancel()
    const reason = 'the service redirected; redirects are not followed, because they would forward the key'
    return { error: connectionFailed(host, reason), mayRetry: false }
  }
  const read = await readAll(response, exchange, signal)
  if ('error' in read) return read
  return judge(read, { exchange, settings, retryAfter: response.headers.get('retry-after') ?? undefined })
}

/** A header that other origins cannot send without permission. */
const FROM_PAGE = { 'x-stagecraft': '1' }

/** Sends a request without reading the response. */
export function send(
  { address, body, headers, method, path }: Omit<Exchange<unknown>, 'mayRepeat' | 'read'>,
  { apiKey, fetch }: Settings,
  signal: AbortSignal,
): Promise<Response> {
  return fetch(`${address.url}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      ...headers,
      ...(apiKey === undefined ? FROM_PAGE : { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    ...(apiKey === undefined && { credentials: 'same-origin' as const }),
    signal,
    // Not `error`, which some edge platforms lack and which looks like a lost connection.
    redirect: 'manual',
  })
}

/** Browsers hide the status of a redirect. */
export function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399)
}

/** Reads a response to its end. */
export async function readAll(
  response: Response,
  { address, method }: Pick<Exchange<unknown>, 'address' | 'method'>,
  signal: AbortSignal,
): Promise<ReadResponse | Failed> {
  try {
    const bytes = await readBytes(response, MOST_BYTES)
    if (bytes === TOO_LONG) {
      const reason = `the answer is larger than ${MOST_BYTES / 2 ** 20} MB`
      return { error: connectionFailed(address.host, reason), mayRetry: false }
    }
    const [contentType = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
    return { status: response.status, contentType: contentType.trim(), bytes }
  } catch (error) {
    signal.throwIfAborted()
    // The service has done the work, which may cost something, so only safe requests are repeated.
    const reason = `${reasonOf(error)} in the middle of the answer`
    return { error: connectionFailed(address.host, reason), mayRetry: method === 'GET' }
  }
}

interface Judging<Answer> {
  readonly exchange: Exchange<Answer>
  readonly settings: Settings
  readonly retryAfter: string | undefined
}

function judge<Answer>(
  response: ReadResponse,
  { exchange, retryAfter, settings }: Judging<Answer>,
): Attempt<Answer> {
  const { status } = response
  try {
    const failure = readFailure(response)
    if (failure) throw failure
    if (status < 200 || status > 299) throw notOfService(exchange.address.host, status)
    return { answer: exchange.read(response) }
  } catch (error) {
    if (!(error instanceof StagecraftError)) throw error
    const mayRetry = exchange.mayRepeat && isTransientFailure(error, status)
    return { error: withoutKey(error, settings.apiKey), mayRetry, retryAfter }
  }
}

function isTransientFailure({ code, details }: StagecraftError, status: number): boolean {
  // The first attempt of the same call is still running; the next attempt gets its answer.
  if (code === 'INVALID_REQUEST' && details?.['reason'] === 'in-flight') return true
  return TRANSIENT_STATUSES.has(status) && code !== 'GENERATION_FAILED'
}
