import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceLogger } from '../../context.ts'
import { createBell } from '../bell.ts'
import { createOutage, isOutage } from '../outage.ts'
import type { SentDelivery } from '../send-claimed.ts'

export interface SettlerOptions {
  readonly logger: ServiceLogger
  /** Writes how attempts ended. */
  readonly write: (batch: readonly SentDelivery[]) => Promise<void>
  /** The time for which the first of a batch waits for others. */
  readonly lingerMs: number
  /** The most that are written at once. */
  readonly size: number
}

export interface Settler {
  /** Resolves when it is written, and also when that was given up: then its lease runs out, and it is sent again. */
  settle(sent: SentDelivery): Promise<void>
  /** From now on a store that does not answer is not waited for. */
  giveUp(): void
}

interface Waiting {
  readonly sent: SentDelivery
  readonly done: () => void
}

/** Writes the ends of attempts in groups, one group at a time. A store that does not answer is asked again. */
export function createSettler({ lingerMs, logger, size, write }: SettlerOptions): Settler {
  const outage = createOutage(logger, 'the ends of deliveries are not written')
  const bell = createBell()
  const waiting: Waiting[] = []
  const state = { isRunning: false, isGivenUp: false }

  const tryToWrite = async (batch: readonly SentDelivery[]): Promise<'written' | 'refused' | 'later'> => {
    try {
      await write(batch)
      outage.ended()
      return 'written'
    } catch (error) {
      const milliseconds = outage.failed(error)
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
      if (waiting.length < size) await bell.wait(lingerMs)
      const group = waiting.splice(0, size)
      await writeAll(group.map(({ sent }) => sent))
      for (const { done } of group) done()
    }
    state.isRunning = false
  }
  return {
    async settle(sent) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ sent, done: resolve })
      if (waiting.length >= size) bell.ring()
      if (!state.isRunning) void run()
      await promise
    },
    giveUp() {
      state.isGivenUp = true
    },
  }
}
