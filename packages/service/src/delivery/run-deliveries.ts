import type { ServiceContext } from '../context.ts'
import { createBell } from './bell.ts'
import { claimLoop } from './claim/claim-loop.ts'
import { createSender } from './create-sender.ts'
import { type DeliveriesOptions, deliveriesSettings } from './deliveries-options.ts'
import { pruneDeliveries } from './prune-deliveries.ts'
import { reclaim } from './reclaim.ts'
import { repeat } from './repeat.ts'

export interface RunningDeliveries {
  /** Takes no new ones, lets those that are under way end for a while, and hands the rest back. */
  stop(): Promise<void>
}

/**
 * Sends what is due until it is stopped. Any number of processes may do so on one store.
 *
 * @throws {TypeError} For a lease that is not longer than an attempt.
 */
export function runDeliveries(context: ServiceContext, options: DeliveriesOptions = {}): RunningDeliveries {
  const { logger, store } = context
  const settings = deliveriesSettings(options)
  const { metrics, pruneMs, reclaimMs, rules } = settings
  const bell = createBell()
  const { abort, signal } = stopper()
  const sender = createSender(context, settings, bell.ring)
  const unlisten = context.wake.listen('deliveries', bell.ring)
  const findLost = async (): Promise<void> => {
    const deliveries = await reclaim(store)
    if (deliveries === 0) return
    metrics.record({ kind: 'reclaimed', deliveries })
    bell.ring()
  }
  const prune = (): Promise<void> => pruneDeliveries(context, { lifetimeMs: rules.lifetimeMs })
  const loops = [
    claimLoop(context, { settings, sender, bell, signal }),
    repeat(findLost, { everyMs: reclaimMs, signal, logger, what: 'reclaiming expired deliveries failed' }),
    repeat(prune, { everyMs: pruneMs, signal, logger, what: 'deleting expired deliveries failed' }),
  ]
  return {
    async stop() {
      abort()
      unlisten()
      bell.ring()
      await Promise.all(loops)
      await sender.stop()
    },
  }
}

function stopper(): { readonly abort: () => void; readonly signal: AbortSignal } {
  const controller = new AbortController()
  return { abort: () => controller.abort(), signal: controller.signal }
}
