import { setTimeout as pause } from 'node:timers/promises'
import type { ServiceLogger } from '../../context.ts'
import { createBell } from '../bell.ts'
import { createOutage, isOutage } from '../outage.ts'
import type { SentDelivery } from '../send-claimed.ts'

export interface SettlerOptions {
  readonly logger: ServiceLogger
  /** Writes how attempts ended. */
  readonly write: (batch: readonly SentDelivery[]) => Promise<void>
  /** How long the first of a batch waits for others. */
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
  let isRunning = false
  let isGivenUp = false

  const writeOnce = async (batch: readonly SentDelivery[]): Promise<boolean> => {
    try {
      await write(batch)
      outage.ended()
      return true
    } catch (error) {
      const milliseconds = outage.failed(error)
      if (isOutage(error) && !isGivenUp) await pause(milliseconds)
      return !isOutage(error) && batch.length === 1
    }
  }
  /** What cannot be written is not to keep others from being written: then each is written alone. */
  const writeAll = async (batch: readonly SentDelivery[]): Promise<void> => {
    if (await writeOnce(batch)) return
    for (const sent of batch) while (!(await writeOnce([sent])) && !isGivenUp);
  }
  const run = async (): Promise<void> => {
    isRunning = true
    while (waiting.length > 0) {
      if (waiting.length < size) await bell.wait(lingerMs)
      const group = waiting.splice(0, size)
      await writeAll(group.map(({ sent }) => sent))
      for (const { done } of group) done()
    }
    isRunning = false
  }
  return {
    async settle(sent) {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ sent, done: resolve })
      if (waiting.length >= size) bell.ring()
      if (!isRunning) void run()
      await promise
    },
    giveUp() {
      isGivenUp = true
    },
  }
}
