/** The error of a call that timed out. */
export class DeadlinePassed extends Error {
  /** The time that the call had. */
  readonly timeoutMs: number

  constructor(timeoutMs: number) {
    super('timed out')
    this.timeoutMs = timeoutMs
  }
}

/** The longest timer of Node; longer ones fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface DeadlineOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/**
 * Runs work within a time limit, even if the work ignores its signal.
 *
 * @throws {DeadlinePassed} On timeout.
 * @throws The signal's reason, if the signal stopped the work.
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
  const timer = setTimeout(() => stop(new DeadlinePassed(timeoutMs)), Math.min(timeoutMs, LONGEST_TIMER_MS))
  signal?.addEventListener('abort', stopForCaller, { once: true })
  try {
    return await Promise.race([work(controller.signal), stopped])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopForCaller)
    // Closes what failed work left open.
    controller.abort()
  }
}
