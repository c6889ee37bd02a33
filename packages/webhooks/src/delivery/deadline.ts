/** The error of work that was stopped early. */
export class Stopped extends Error {
  readonly failure: 'timeout' | 'aborted'

  constructor(failure: 'timeout' | 'aborted') {
    super(failure)
    this.name = 'Stopped'
    this.failure = failure
  }
}

/** The time for work to stop after its signal. */
const GRACE_MS = 100

export interface DeadlineOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs work within a time limit, even if the work ignores its signal. A request ignores it while it waits for
 * a connection.
 *
 * @throws {Stopped}
 */
export async function withDeadline<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { timeoutMs, signal }: DeadlineOptions,
): Promise<Result> {
  if (signal?.aborted === true) throw new Stopped('aborted')
  const controller = new AbortController()
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (failure: Stopped['failure']): void => {
    const stopped = new Stopped(failure)
    controller.abort(stopped)
    // Work that finishes within the grace time still counts.
    setTimeout(() => reject(stopped), GRACE_MS)
  }
  const stopForCaller = (): void => stop('aborted')
  const timer = setTimeout(() => stop('timeout'), timeoutMs)
  signal?.addEventListener('abort', stopForCaller, { once: true })
  try {
    return await Promise.race([work(controller.signal), stopped])
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stopForCaller)
    controller.abort()
  }
}
