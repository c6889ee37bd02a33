import { type Attempt, connectionCode, readResponse } from './attempt.ts'
import { limitBody } from './limit-body.ts'

/** The only access of a call to the network. It controls the request, the size of the answer, and pauses. */
export interface Wire {
  readonly fetch: typeof fetch
  /** The last request so far. */
  readonly attempt: () => Attempt
}

export interface WireOptions {
  readonly fetch: typeof fetch
  /**
   * All headers of a request. Those of the SDK are dropped, because the environment can add to them and
   * change them (`ANTHROPIC_CUSTOM_HEADERS`, `OPENAI_ORG_ID`).
   */
  readonly headers: Readonly<Record<string, string>>
  /** The secret, which is never shown, even if the provider echoes it. */
  readonly secret: string | undefined
  /** Called for each chunk from the host. */
  readonly heard: () => void
  /** The end of the call's time, by `performance.now()`. */
  readonly deadline: number
}

/** The longest pause to wait; a longer one is reported to the caller. The SDKs differ here, up to weeks. */
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
        // A request that was aborted here is not a failed connection.
        if (init?.signal?.aborted !== true) current.connectionFailure = connectionCode(error)
        throw error
      })
      options.heard()
      current.response = readResponse(response, { now: Date.now(), secret: options.secret })
      return guard(response, current, options)
    },
  }
}

/** Returns true if the start or the rest of an answer is still awaited. */
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
