/** The time of a call ran out. */
export class DeadlinePassed extends Error {}

/** The longest that a timer of Node waits; it fires at once for anything above. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface DeadlineOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/**
 * Runs work for as long as it may take. Ends in time also when the work ignores its signal.
 *
 * @throws {DeadlinePassed} When the time is over.
 * @throws The signal's reason, when the signal stopped the work.
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  options: DeadlineOptions,
): Promise<Result> {
  const { signal, timeoutMs } = options
  signal?.throwIfAborted()
  const controller = new AbortController()
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (reason: unknown) => {
    reject(reason)
    controller.abort()
  }
  const stopForCaller = () => stop(signal?.reason)
  const timer = setTimeout(() => stop(new DeadlinePassed()), Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal?.addEventListener('abort', stopForCaller, { once: true })
  try {
    return await Promise.race([work(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopForCaller)
    // Ends what a failed work left open.
    controller.abort()
  }
}
