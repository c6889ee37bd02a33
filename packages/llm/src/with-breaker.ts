import {
  type Backend,
  type BackendAnswer,
  BackendError,
  type BackendFailure,
  type BackendRequest,
} from '@stagecraft/spec'

export interface BreakerOptions {
  /** The pause after failures, unless the provider asks for a longer one. @default 30_000 */
  readonly pauseMs?: number
  /** A clock that only goes forward, in milliseconds. @default performance.now */
  readonly now?: () => number
}

/** The consecutive failures after which calls stop; undefined for failures that say nothing about other calls. */
const LIMITS: Readonly<Record<BackendFailure, number | undefined>> = {
  auth: 1,
  quota: 1,
  model_not_found: 1,
  network: 3,
  timeout: 3,
  overloaded: 3,
  provider_error: 3,
  rate_limited: 3,
  bad_request: undefined,
  too_large: undefined,
  malformed: undefined,
}

/**
 * Stops calling a failing provider: at once after a wrong key or a silent host, otherwise after three failed calls in
 * a row. Further calls fail at once with the same failure (`isSent: false`). After a pause one call is tried; if it
 * succeeds, all calls are made again.
 *
 * @example
 * const backend = cached(withBreaker(anthropic({ apiKey })), { folder: '.stagecraft/cache' })
 */
export function withBreaker(backend: Backend, options: BreakerOptions = {}): Backend {
  const { now = () => performance.now(), pauseMs = 30_000 } = options
  let failures = 0
  let open: { readonly error: BackendError; readonly until: number } | undefined
  let isTrying = false
  const waiting = new Set<AbortController>()

  const note = (error: BackendError): void => {
    const limit = error.isProven ? 1 : LIMITS[error.kind]
    if (limit === undefined) return reset()
    failures += 1
    if (failures >= limit || open) open = { error, until: now() + Math.max(pauseMs, error.retryAfterMs ?? 0) }
  }
  /** Ends all calls that wait for a silent provider. */
  const endWaiting = (error: BackendError): void => {
    for (const call of waiting) call.abort(error)
  }
  const ask = async (request: BackendRequest): Promise<BackendAnswer> => {
    const call = new AbortController()
    waiting.add(call)
    try {
      const signal = request.signal ? AbortSignal.any([request.signal, call.signal]) : call.signal
      return await backend.complete({ ...request, signal })
    } finally {
      waiting.delete(call)
    }
  }
  const reset = (): void => {
    failures = 0
    open = undefined
  }

  return {
    id: backend.id,
    complete: async (request) => {
      request.signal?.throwIfAborted()
      const isTrial = open !== undefined
      if (open && (isTrying || now() < open.until)) throw unsent(open.error)
      isTrying ||= isTrial
      try {
        const answer = await ask(request)
        reset()
        return answer
      } catch (error) {
        if (error instanceof BackendError && error !== open?.error) note(error)
        if (open && (open.error.kind === 'timeout' || open.error.isProven)) endWaiting(open.error)
        throw error
      } finally {
        if (isTrial) isTrying = false
      }
    },
  }
}

/** Returns the failure of an earlier call, for a call that was not made. */
function unsent({
  cause,
  detail,
  isProven,
  kind,
  message,
  retryAfterMs,
  status,
}: BackendError): BackendError {
  return new BackendError(kind, message, {
    cause,
    isSent: false,
    isProven,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(detail !== undefined && { detail }),
  })
}
