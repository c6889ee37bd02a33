import type { ServiceContext } from '../context.ts'
import { startLoop } from '../loop.ts'
import { createClaimer } from './claim/create-claimer.ts'
import { createSender } from './create-sender.ts'
import { type DeliveriesOptions, deliveriesSettings } from './deliveries-options.ts'
import { pruneDeliveries } from './prune-deliveries.ts'
import { reclaim } from './reclaim.ts'

export interface RunningDeliveries {
  /** Takes no new ones, lets those that are under way end for a while, and hands the rest back. */
  stop(): Promise<void>
}

/** The pause between two claims of a backlog, so that they are of many deliveries each. */
const BACKLOG_PAUSE_MS = 4

/**
 * Sends what is due until it is stopped. Any number of processes may do so on one store.
 *
 * @throws {TypeError} For a lease that is not longer than an attempt.
 */
export function runDeliveries(context: ServiceContext, options: DeliveriesOptions = {}): RunningDeliveries {
  const { logger, store } = context
  const settings = deliveriesSettings(options)
  const { concurrency, metrics, pollMs, pruneMs, reclaimMs, rules } = settings
  const claimer = createClaimer(store, settings)
  const sender = createSender(context, settings, () => claiming.wake())
  /** Claims what is due, as long as there are slots for it. */
  const claimDue = async (): Promise<number> => {
    const slots = sender.free()
    if (slots < concurrency / 4) return BACKLOG_PAUSE_MS
    const { deliveries, isCut } = await claimer.claim(slots)
    sender.send(deliveries)
    return isCut && deliveries.length > 0 ? BACKLOG_PAUSE_MS : pollMs
  }
  const findLost = async (): Promise<void> => {
    const deliveries = await reclaim(store)
    if (deliveries === 0) return
    metrics.record({ kind: 'reclaimed', deliveries })
    claiming.wake()
  }
  const prune = (): Promise<void> => pruneDeliveries(context, { lifetimeMs: rules.lifetimeMs })
  const claiming = startLoop(claimDue, { logger, everyMs: pollMs, message: 'sending deliveries failed' })
  const loops = [
    claiming,
    startLoop(findLost, { logger, everyMs: reclaimMs, message: 'reclaiming expired deliveries failed' }),
    startLoop(prune, { logger, everyMs: pruneMs, message: 'deleting old deliveries failed' }),
  ]
  const unlisten = context.wakeups.listen('deliveries', () => claiming.wake())
  return {
    async stop() {
      unlisten()
      await Promise.all(loops.map((loop) => loop.stop()))
      await sender.stop()
    },
  }
}
