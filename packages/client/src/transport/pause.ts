/** The pause before the first retry; doubled for each further one. */
const FIRST_PAUSE_MS = 300

/** The longest `Retry-After` to wait for. */
const LONGEST_RETRY_AFTER_MS = 60_000

export interface PauseOptions {
  /** Counts from 0. */
  readonly retry: number
  /** The header of the answer. */
  readonly retryAfter: string | undefined
}

/**
 * Returns the pause before a retry in milliseconds; undefined if the service asks for more than a minute.
 * Each pause is shortened at random by up to half, so that clients do not all retry at once.
 */
export function choosePause({ retry, retryAfter = '' }: PauseOptions): number | undefined {
  const own = FIRST_PAUSE_MS * 2 ** retry * (0.5 + Math.random() / 2)
  const requested = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now()
  if (Number.isNaN(requested)) return own
  return requested > LONGEST_RETRY_AFTER_MS ? undefined : Math.max(requested, own)
}

/** @throws The signal's reason, as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
  })
}
