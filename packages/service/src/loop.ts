import { StagecraftError } from '@stagecraft/spec'
import type { ServiceLogger } from './context.ts'

/** A pause that can be cut short. */
export interface Pause {
  /** Ends the current pause, or the next one if there is none. */
  readonly cut: () => void
  readonly wait: (milliseconds: number) => Promise<void>
}

export function createPause(): Pause {
  let isCut = false
  let resume: (() => void) | undefined
  return {
    cut() {
      isCut = true
      resume?.()
    },
    async wait(milliseconds) {
      if (!isCut) {
        const { promise, resolve } = Promise.withResolvers<void>()
        resume = resolve
        const timer = setTimeout(resolve, milliseconds)
        await promise
        clearTimeout(timer)
        resume = undefined
      }
      isCut = false
    },
  }
}

/** Consecutive failures: the pause after each, and how often to log them. */
export interface Retries {
  /** Logs a failure, and returns the time to wait. */
  failed(error: unknown): number
  /** Resets the count of failures. */
  succeeded(): void
}

const SHORTEST_MS = 100
const LONGEST_MS = 2000
const LOGGED_EVERY_MS = 1000

/** @param message The log message of a failure. */
export function createRetries(logger: ServiceLogger, message: string): Retries {
  let failures = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return {
    failed(error) {
      failures += 1
      const now = performance.now()
      if (now - loggedAt >= LOGGED_EVERY_MS) {
        loggedAt = now
        const reason = error instanceof Error ? error.message : String(error)
        if (isOutage(error))
          logger.warn({ failures, error: reason }, `the store does not respond: ${message}`)
        else logger.error({ failures, error: reason }, message)
      }
      return Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(failures - 1, 10))
    },
    succeeded() {
      failures = 0
    },
  }
}

/** Returns true if an error concerns the store as a whole, and not one query. */
export function isOutage(error: unknown): boolean {
  return error instanceof StagecraftError && error.code === 'CONNECTION_FAILED'
}

export interface LoopOptions {
  readonly logger: ServiceLogger
  /** The time between two rounds, in milliseconds. */
  readonly everyMs: number
  /** The log message of a failed round. */
  readonly message: string
}

/** A repeated task. */
export interface Loop {
  /** Starts the next round immediately. */
  wake(): void
  /** Lets the current round finish, and starts no other. */
  stop(): Promise<void>
}

/** Runs rounds of work until stopped. A failed round is logged, and repeated after a growing pause. */
export function startLoop(
  /** Runs one round. It may return another time to wait than `everyMs`. */
  round: () => Promise<number | void>,
  { everyMs, logger, message }: LoopOptions,
): Loop {
  const retries = createRetries(logger, message)
  const pause = createPause()
  const stopped = new AbortController()
  const next = async (): Promise<number> => {
    try {
      const milliseconds = await round()
      retries.succeeded()
      return milliseconds ?? everyMs
    } catch (error) {
      return retries.failed(error)
    }
  }
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) await pause.wait(await next())
  }
  const ended = run()
  return {
    wake: pause.cut,
    async stop() {
      stopped.abort()
      pause.cut()
      await ended
    },
  }
}
