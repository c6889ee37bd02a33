/** The result of the work, or the signal's reason as soon as it aborts: work may be deaf to signals. */
export async function raceSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work(signal), promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
