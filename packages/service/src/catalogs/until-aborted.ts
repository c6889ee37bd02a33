/** The result, or the signal's reason as soon as it aborts; what is under way then goes on for nobody. */
export async function untilAborted<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  if (!signal) return work
  const abortion = Promise.withResolvers<never>()
  const onAbort = (): void => abortion.reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  try {
    return await Promise.race([work, abortion.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
