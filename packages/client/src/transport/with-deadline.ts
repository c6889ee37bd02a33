import type { Settings } from '../options.ts'
import type { Address } from './address.ts'
import { connectionFailed } from './connection-failed.ts'

/** The remaining time of a call. */
export interface Term {
  /** Aborts at the time limit, or earlier with the caller's signal. */
  readonly signal: AbortSignal
  /** The end, by `performance.now()`. */
  readonly end: number
}

export interface DeadlineOptions {
  readonly address: Address
  readonly settings: Settings
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
}

/**
 * Runs the work of one call within the time limit of the settings.
 *
 * @throws {StagecraftError} CONNECTION_FAILED on timeout.
 * @throws The signal's reason, if the signal stopped the call.
 */
export async function withDeadline<Result>(
  work: (term: Term) => Promise<Result>,
  { address, settings, signal }: DeadlineOptions,
): Promise<Result> {
  signal?.throwIfAborted()
  const { timeoutMs } = settings
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(connectionFailed(address.host, `no answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  try {
    const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    return await work({ signal: either, end: performance.now() + timeoutMs })
  } finally {
    clearTimeout(timer)
  }
}
