/** Signals that follow one another so closely are one press. */
const SAME_PRESS_MS = 500

/**
 * Calls back on the first of these signals; a later one ends the process at once. `npm run` forwards a Ctrl-C that the
 * terminal has sent to the whole group, and on a busy machine late: under it, one later signal does not count.
 *
 * @param onForwarded Called on that one.
 * @returns A function that removes the handlers.
 */
export function onSignal(
  signals: readonly NodeJS.Signals[],
  callBack: (signal: NodeJS.Signals) => void,
  onForwarded?: () => void,
): () => void {
  let firstAt: number | undefined
  let forwarded = isUnderNpm() ? 1 : 0
  const listen = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      callBack(signal)
    } else if (forwarded > 0) {
      forwarded -= 1
      onForwarded?.()
    } else if (performance.now() - firstAt > SAME_PRESS_MS) {
      off()
      process.kill(process.pid, signal)
    }
  }
  const off = (): void => {
    for (const signal of signals) process.off(signal, listen)
  }
  for (const signal of signals) process.on(signal, listen)
  return off
}

/** Returns true in a process that `npm run` started. */
export function isUnderNpm(): boolean {
  return process.env['npm_lifecycle_event'] !== undefined
}
