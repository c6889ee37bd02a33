import type { ServiceContext } from '../../context.ts'
import type { Bell } from '../bell.ts'
import type { Sender } from '../create-sender.ts'
import type { DeliveriesSettings } from '../deliveries-options.ts'
import { createOutage } from '../outage.ts'
import { createClaimer } from './create-claimer.ts'

export interface ClaimLoopOptions {
  readonly settings: DeliveriesSettings
  readonly sender: Sender
  /** Rings when there may be something to claim. */
  readonly bell: Bell
  readonly signal: AbortSignal
}

/** The pause between two claims of a backlog, so that they are of many deliveries each. */
const BREATH_MS = 4

/** Claims what is due, as long as there are slots for it. */
export async function claimLoop(
  { logger, store }: ServiceContext,
  { bell, sender, settings, signal }: ClaimLoopOptions,
): Promise<void> {
  const { concurrency, pollMs } = settings
  const claimer = createClaimer(store, settings)
  const outage = createOutage(logger, 'sending deliveries failed')
  /** Claims once; returns how long to wait for the bell. */
  const look = async (): Promise<number> => {
    const slots = sender.free()
    if (slots < concurrency / 4) return BREATH_MS
    const { deliveries, isCut } = await claimer.claim(slots)
    outage.ended()
    sender.send(deliveries)
    return isCut && deliveries.length > 0 ? BREATH_MS : pollMs
  }
  while (!signal.aborted) {
    try {
      await bell.wait(await look())
    } catch (error) {
      await bell.wait(outage.failed(error))
    }
  }
}
