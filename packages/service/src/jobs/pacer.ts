import type { ServiceContext } from '../context.ts'

/** Paces a loop that looks for work. */
export interface Pacer {
  /** Looks again at once. */
  wake(): void
  /** Looks until it is stopped; a look that fails is repeated after a pause that grows. */
  run(look: () => Promise<void>): Promise<void>
  stop(): void
}

const LONGEST_PAUSE_MILLISECONDS = 10_000

export function createPacer(
  { logger, wake }: Pick<ServiceContext, 'logger' | 'wake'>,
  pollMs: number,
): Pacer {
  const stopped = new AbortController()
  let isAwake = false
  let resume = (): void => undefined
  const rouse = (): void => {
    isAwake = true
    resume()
  }
  const unlisten = wake.listen('jobs', rouse)
  const sleep = async (milliseconds: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    resume = resolve
    await promise
    clearTimeout(timer)
  }
  return {
    wake: rouse,
    async run(look) {
      for (let failures = 0; !stopped.signal.aborted;) {
        isAwake = false
        try {
          await look()
          failures = 0
        } catch (error) {
          failures++
          logger.warn({ error: String(error), failures }, 'polling for jobs failed')
        }
        if (stopped.signal.aborted) break
        if (failures > 0) await sleep(Math.min(LONGEST_PAUSE_MILLISECONDS, 1000 * 2 ** (failures - 1)))
        else if (!isAwake) await sleep(pollMs)
      }
    },
    stop() {
      stopped.abort()
      unlisten()
      resume()
    },
  }
}
