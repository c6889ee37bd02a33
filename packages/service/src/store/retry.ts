import { setTimeout as delay } from 'node:timers/promises'

export interface RetryOptions {
  readonly isWorthRetrying: (error: unknown) => boolean
  /** The number of attempts in all. */
  readonly attempts: number
  /** Before the second attempt, in milliseconds; it doubles, up to half a second. A random part of it is waited for. */
  readonly delayMs: number
}

/** The result of the first attempt that succeeds, or the error of the last. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { attempts, delayMs, isWorthRetrying }: RetryOptions,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !isWorthRetrying(error)) throw error
      // the random part keeps two that were in each other's way from meeting again
      await delay(Math.min(500, delayMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2))
    }
  }
}
