import { createBell } from './bell.ts'
import { createOutage } from './outage.ts'
import type { ServiceLogger } from '../context.ts'

export interface RepeatOptions {
  readonly everyMs: number
  readonly signal: AbortSignal
  readonly logger: ServiceLogger
  /** The log message for a failure of the work. */
  readonly what: string
}

/** Does something again and again, until the signal. A failure is told, and does not end it. */
export async function repeat(
  work: () => Promise<void>,
  { everyMs, logger, signal, what }: RepeatOptions,
): Promise<void> {
  const outage = createOutage(logger, what)
  const bell = createBell()
  signal.addEventListener('abort', bell.ring, { once: true })
  while (!signal.aborted) {
    try {
      await work()
      outage.ended()
    } catch (error) {
      outage.failed(error)
    }
    await bell.wait(everyMs)
  }
}
