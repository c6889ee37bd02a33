import { createDeliveryAgent } from '@stagecraft/webhooks'
import type { ServiceContext } from '../context.ts'
import { cancelWaiting } from './cancel-deliveries.ts'
import { type ClaimedDelivery, openSecrets, sendClaimed, type SentDelivery } from './send-claimed.ts'
import type { DeliveriesSettings } from './deliveries-options.ts'
import { createOutcomeWriter } from './outcomes/outcome-writer.ts'
import { writeOutcomes } from './outcomes/write-outcomes.ts'

/** Sends what was claimed, and writes how that ended. */
export interface Sender {
  /** Returns the number of free slots: a slot is free again when the outcome of its delivery is written. */
  free(): number
  /** Sends them all at once. */
  send(deliveries: readonly ClaimedDelivery[]): void
  /** Lets those that are under way end for a while, and hands the rest back. */
  stop(): Promise<void>
}

/** The number of outcomes that are written at once. */
const GROUP = 64
/** The time that the store has to record returned deliveries. */
const LAST_WRITE_MS = 2000

/** @param onFree is called whenever a slot is free again. */
export function createSender(
  context: ServiceContext,
  settings: DeliveriesSettings,
  onFree: () => void,
): Sender {
  const { concurrency, graceMs, lingerMs, metrics } = settings
  const { logger } = context
  const agent = createDeliveryAgent(context.settings.deliveryPolicy, { connectionsPerOrigin: concurrency })
  const open = openSecrets(context.cipher)
  const aborted = new AbortController()
  const write = (batch: readonly SentDelivery[]): Promise<void> => writeGroup(context, settings, batch)
  const outcomes = createOutcomeWriter({ logger, write, lingerMs, size: GROUP })
  const underWay = new Set<Promise<void>>()

  const sendOne = async (delivery: ClaimedDelivery): Promise<void> => {
    const { attemptMs: timeoutMs } = settings
    const { signal } = aborted
    await outcomes.add(await sendClaimed(delivery, { agent, open, timeoutMs, signal, logger }))
  }
  const count = (): void => metrics.record({ kind: 'in_flight', deliveries: underWay.size })
  return {
    free: () => concurrency - underWay.size,
    send(deliveries) {
      for (const delivery of deliveries) {
        const work = sendOne(delivery).finally(() => {
          underWay.delete(work)
          count()
          onFree()
        })
        underWay.add(work)
      }
      count()
    },
    async stop() {
      await within(graceMs, underWay)
      aborted.abort()
      await within(LAST_WRITE_MS, underWay)
      outcomes.giveUp()
      await agent.close()
      await Promise.all(underWay)
    },
  }
}

async function writeGroup(
  { logger, store }: ServiceContext,
  { metrics, random, rules }: DeliveriesSettings,
  batch: readonly SentDelivery[],
): Promise<void> {
  const { disabled, facts } = await writeOutcomes(store, batch, { random, rules })
  for (const fact of facts) metrics.record(fact)
  for (const id of disabled) {
    logger.warn({ webhook: id }, 'a webhook was disabled')
    // Nothing waits for it: what it leaves is found again when old deliveries are deleted.
    void cancelWaiting(store, id).catch((error: unknown) =>
      logger.warn(
        { webhook: id, error: String(error) },
        'could not cancel the deliveries of a disabled webhook; it will be retried',
      ),
    )
  }
}

/** Waits until all have ended, for so long at most. */
async function within(milliseconds: number, all: ReadonlySet<Promise<void>>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  await Promise.race([Promise.all(all), late])
  clearTimeout(timer)
}
