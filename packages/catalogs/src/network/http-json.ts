import { setTimeout as sleep } from 'node:timers/promises'
import { QUERY_SECONDS } from './connection-failed.ts'

export interface HttpRequest {
  /** @default GET */
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** The body, sent as JSON; text is sent unchanged. Default: none. */
  readonly body?: unknown
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined
  /** The time limit of all attempts together. @default 60 */
  readonly seconds?: number
  /** The maximum number of bytes of an answer. @default 256 MiB */
  readonly maxBytes?: number
  /** The number of further attempts if the server is busy; 0 if repeating is harmful. @default 3 */
  readonly retries?: number
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  /** Parsed JSON, with whole numbers beyond 2^53 as text; the text itself if it is not JSON; undefined if empty. */
  readonly body: unknown
}

const BUSY = new Set([429, 502, 503, 504])
const MOST_BYTES = 256 * 1024 * 1024
const LONGEST_WAIT_SECONDS = 10

/**
 * Sends a request and reads the whole answer, whatever its status. Redirects fail, because they would forward
 * the secret in the headers.
 *
 * @throws {Error} with the code of the network error, or ERR_NO_ANSWER after the time limit; or the signal's
 * reason.
 */
export async function requestJson(url: string | URL, request: HttpRequest): Promise<HttpAnswer> {
  const { retries = 3, seconds = QUERY_SECONDS } = request
  const deadline = AbortSignal.timeout(seconds * 1000)
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
  try {
    for (let attempt = 0; ; attempt++) {
      const answer = await send(url, request, signal)
      if (!BUSY.has(answer.status) || attempt >= retries) return answer
      await sleep(waitOf(answer, attempt) * 1000, undefined, { signal })
    }
  } catch (error) {
    request.signal?.throwIfAborted()
    if (deadline.aborted) throw coded('ERR_NO_ANSWER', `no answer within ${seconds} s`)
    throw networkError(error)
  }
}

async function send(url: string | URL, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const { body, fetch = globalThis.fetch, headers = {}, maxBytes = MOST_BYTES, method = 'GET' } = request
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    redirect: 'error',
    signal,
  })
  const text = await readText(response, maxBytes)
  return { status: response.status, headers: response.headers, body: parse(text) }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes)
      throw coded('ERR_TOO_LARGE', `the answer has more than ${maxBytes} bytes; read one schema at a time`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text, LARGE.test(text) ? keepDigits : undefined) as unknown
  } catch {
    return text
  }
}

/** Matches a whole number that is so long that JavaScript may round it. */
const LARGE = /[[:,\s]-?\d{16,}[\],}\s]/

/** Keeps whole numbers as text if JavaScript cannot represent them exactly. */
function keepDigits(_: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
  return isRounded ? source : value
}

/** Returns the seconds until the next attempt, as requested by the server. */
function waitOf({ headers }: HttpAnswer, attempt: number): number {
  const requested = Number(headers.get('retry-after') ?? Number.NaN)
  return Math.min(Number.isFinite(requested) ? requested : 0.2 * 2 ** attempt, LONGEST_WAIT_SECONDS)
}

/** Returns the network error, which `fetch` hides in the cause of its own error. */
export function networkError(error: unknown): unknown {
  const cause: unknown = error instanceof TypeError ? error.cause : undefined
  return cause instanceof Error ? cause : error
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}
