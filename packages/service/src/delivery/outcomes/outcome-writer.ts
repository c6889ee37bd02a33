import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceLogger } from '../../context.ts'
import { createPause, createRetries, isOutage } from '../../loop.ts'
import type { SentDelivery } from '../send-claimed.ts'

export interface OutcomeWriterOptions {
  readonly logger: ServiceLogger
  /** Writes the outcomes of attempts. */
  readonly write: (batch: readonly SentDelivery[]) => Promise<void>
  /** The time for which the first of a batch waits for others. */
  readonly lingerMs: number
  /** The most that are written at once. */
  readonly size: number
}

export interface OutcomeWriter {
  /** Resolves when the outcome is written, and also when that was given up: then the lease runs out, and it is sent again. */
  add(sent: SentDelivery): Promise<void>
  /** From now on a store that does not answer is not waited for. */
  giveUp(): void
}

interface Waiting {
  readonly sent: SentDelivery
  readonly done: () => void
}

/** Writes the outcomes of attempts in groups, one group at a time. A store that does not answer is asked again. */
export function createOutcomeWriter({ lingerMs, logger, size, write }: OutcomeWriterOptions): OutcomeWriter {
  const retries = createRetries(logger, 'the outcomes of deliveries were not written')
  const linger = createPause()
  const waiting: Waiting[] = []
  const state = { isRunning: false, isGivenUp: false }

  const tryToWrite = async (batch: readonly SentDelivery[]): Promise<'written' | 'refused' | 'later'> => {
    try {
      await write(batch)
      retries.succeeded()
      return 'written'
    } catch (error) {
      const milliseconds = retries.failed(error)
      if (!isOutage(error)) return 'refused'
      await pause(milliseconds)
      return 'later'
    }
  }
  /**
   * Writes a batch; if that fails, writes each outcome alone, so that one faulty row does not block others.
   */
  const writeAll = async (batch: readonly SentDelivery[]): Promise<void> => {
    while (!state.isGivenUp) {
      const end = await tryToWrite(batch)
      if (end === 'written') return
      if (end === 'refused') break
    }
    if (batch.length > 1) for (const sent of batch) await writeAll([sent])
  }
  const run = async (): Promise<void> => {
    state.isRunning = true
    while (waiting.length > 0) {
      if (waiting.length < size) await linger.wait(lingerMs)
      const group = waiting.splice(0, size)
      await writeAll(group.map(({ sent }) => sent))
      for (const { done } of group) done()
    }
    state.isRunning = false
  }
  return {
    async add(sent) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ sent, done: resolve })
      if (waiting.length >= size) linger.cut()
      if (!state.isRunning) void run()
      await promise
    },
    giveUp() {
      state.isGivenUp = true
    },
  }
}
