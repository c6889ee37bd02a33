import { type Attempt, connectionCode, readResponse } from './attempt.ts'
import { limitBody } from './limit-body.ts'

/** The one way to the network of a call: what is sent, how much may come back, how long a pause may be. */
export interface Wire {
  readonly fetch: typeof fetch
  /** The last request, until now. */
  readonly attempt: () => Attempt
}

export interface WireOptions {
  readonly fetch: typeof fetch
  /**
   * All headers of a request. Those of the SDK are dropped, because the environment can add to them and
   * change them (`ANTHROPIC_CUSTOM_HEADERS`, `OPENAI_ORG_ID`).
   */
  readonly headers: Readonly<Record<string, string>>
  /** Never shown, also when the provider echoes it. */
  readonly secret: string | undefined
  /** Called for each piece that comes from the host. */
  readonly heard: () => void
  /** The moment by which the call must end, as of `performance.now()`. */
  readonly deadline: number
}

/** A longer pause is not waited for: the caller is told of it. The SDKs would differ here, up to weeks. */
const LONGEST_PAUSE_MS = 60_000

const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

export function openWire(options: WireOptions): Wire {
  let attempt: Attempt = {}
  return {
    attempt: () => attempt,
    fetch: async (input, init) => {
      const current: Attempt = { host: new URL(input instanceof Request ? input.url : input).host }
      attempt = current
      const response = await send(input, init, options).catch((error: unknown) => {
        // A request that is ended from here is not a failure of the connection.
        if (init?.signal?.aborted !== true) current.connectionFailure = connectionCode(error)
        throw error
      })
      options.heard()
      current.response = readResponse(response, { now: Date.now(), secret: options.secret })
      return guard(response, current, options)
    },
  }
}

/** Returns true if the host still owes the beginning or the rest of an answer. */
export function isAwaited({ body, response }: Attempt): boolean {
  return response === undefined || (response.status < 300 && body === undefined)
}

async function send(
  input: string | URL | Request,
  init: RequestInit | undefined,
  options: WireOptions,
): Promise<Response> {
  return await options.fetch(input, {
    method: 'POST',
    headers: options.headers,
    body: init?.body ?? null,
    signal: init?.signal ?? null,
    redirect: 'manual',
  })
}

function guard(response: Response, attempt: Attempt, { deadline, heard }: WireOptions): Response {
  const { status, statusText, body } = response
  if (body === null || STATUSES_WITHOUT_BODY.has(status)) return response
  const headers = new Headers(response.headers)
  const isEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const pause = attempt.response?.retryAfterMs ?? 0
  if (pause > Math.min(LONGEST_PAUSE_MS, deadline - performance.now())) headers.set('x-should-retry', 'false')
  return new Response(limitBody(body, attempt, { heard, isEvents }), { status, statusText, headers })
}
