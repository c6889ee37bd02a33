import { StagecraftError } from '@stagecraft/spec'
import { connectionFailed, reasonOf } from './connection-failed.ts'
import type { Settings } from './options.ts'
import { type Answer, readAnswer } from './read-answer.ts'

export interface Call {
  readonly path: string
  /** JSON. */
  readonly body: string
}

/** How one attempt ended. */
export type Attempt =
  | { readonly answer: Answer }
  | {
      readonly error: StagecraftError
      readonly mayPass: boolean
      /** What `Retry-After` said. */
      readonly retryAfter?: string | undefined
    }

const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503])

/**
 * Sends a call once.
 *
 * @throws The signal's reason, when the signal stopped it.
 */
export async function attempt(call: Call, settings: Settings, signal: AbortSignal): Promise<Attempt> {
  const { host } = settings
  let response: Response
  try {
    response = await send(call, settings, signal)
  } catch (error) {
    signal.throwIfAborted()
    return { error: connectionFailed(host, reasonOf(error)), mayPass: true }
  }
  if (isRedirect(response)) {
    await response.body?.cancel()
    const reason = 'a redirect, which is not followed, because the key would travel along'
    return { error: connectionFailed(host, reason), mayPass: false }
  }
  try {
    return { answer: readAnswer({ status: response.status, text: await response.text() }, host) }
  } catch (error) {
    signal.throwIfAborted()
    // The work was done and may have cost something, so a body that breaks off is not asked for again.
    if (!(error instanceof StagecraftError))
      return {
        error: connectionFailed(host, `${reasonOf(error)} in the middle of the answer`),
        mayPass: false,
      }
    const mayPass = PASSING_STATUSES.has(response.status) && error.code !== 'GENERATION_FAILED'
    const retryAfter = response.headers.get('retry-after') ?? undefined
    return { error: withoutKey(error, settings.apiKey), mayPass, retryAfter }
  }
}

function send({ body, path }: Call, { apiKey, baseUrl, fetch }: Settings, signal: AbortSignal) {
  return fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body,
    signal,
    // Not `error`, which some edge platforms do not know and which looks like a lost connection.
    redirect: 'manual',
  })
}

/** Browsers hide the status of a redirect. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399)
}

/** Shorter texts are no secrets, and stand in many a message. */
const SHORTEST_KEY = 8

/** A service or proxy may say back what it was sent. */
function withoutKey(error: StagecraftError, apiKey: string): StagecraftError {
  const text = JSON.stringify([error.message, error.details])
  if (apiKey.length < SHORTEST_KEY || !text.includes(apiKey)) return error
  const [message, details] = JSON.parse(text.replaceAll(apiKey, '[key]')) as [
    string,
    StagecraftError['details'],
  ]
  return new StagecraftError(error.code, message, { ...(details && { details }) })
}
