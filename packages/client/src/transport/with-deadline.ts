import type { Settings } from '../options.ts'
import type { Address } from './address.ts'
import { connectionFailed } from './connection-failed.ts'

/** The time that a call has left. */
export interface Term {
  /** Aborts at the end, and before it when the caller's own signal does. */
  readonly signal: AbortSignal
  /** By `performance.now()`. */
  readonly end: number
}

export interface DeadlineOptions {
  readonly address: Address
  readonly settings: Settings
  /** The caller's. */
  readonly signal: AbortSignal | undefined
}

/**
 * Does the work of one call within the time of the settings.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the time is over.
 * @throws The signal's reason, when the signal stopped the call.
 */
export async function withDeadline<Result>(
  work: (term: Term) => Promise<Result>,
  { address, settings, signal }: DeadlineOptions,
): Promise<Result> {
  signal?.throwIfAborted()
  const { timeoutMs } = settings
  const deadline = new AbortController()
  const timer = setTimeout(
    () => deadline.abort(connectionFailed(address.host, `none within ${timeoutMs / 1000} s`)),
    timeoutMs,
  )
  try {
    const either = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
    return await work({ signal: either, end: performance.now() + timeoutMs })
  } finally {
    clearTimeout(timer)
  }
}
