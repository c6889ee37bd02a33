/** `npm run` forwards a Ctrl-C that the terminal has sent to the whole group, so one press arrives twice. */
const SAME_PRESS_MS = 500

/**
 * Calls back on the first of these signals; a later one ends the process at once.
 *
 * @returns A function that removes the handlers.
 */
export function onSignal(
  signals: readonly NodeJS.Signals[],
  callBack: (signal: NodeJS.Signals) => void,
): () => void {
  let firstAt: number | undefined
  const listen = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      callBack(signal)
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
