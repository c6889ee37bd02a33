/**
 * Waits for a shared promise.
 *
 * @throws The signal's reason as soon as it aborts.
 */
export function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error)
    const leave = (): void => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(leave)
    if (signal.aborted) stop()
  })
}
