import type { RequestListener } from 'node:http'
import { afterEach, onTestFinished } from 'vitest'
import type { DeliveriesOptions } from '../../../packages/service/src/delivery/deliveries-options.ts'
import {
  DELIVERY_RULES,
  type DeliveryRules,
} from '../../../packages/service/src/delivery/rules/delivery-rules.ts'
import {
  runDeliveries,
  type RunningDeliveries,
} from '../../../packages/service/src/delivery/run-deliveries.ts'
import { MIGRATIONS } from '../../../packages/service/src/store/migrations/index.ts'
import type { Engine } from '../../../packages/service/src/store/store.ts'
import { httpReceiver } from '../../../packages/webhooks/src/testing/receivers.ts'
import { describeEachStore, type OpenOptions, type StorePlace } from '../each-store.ts'
import { type DeliveryWorld, deliveryWorld } from './delivery-world.ts'

/** The rules in which a day is a blink: four attempts, and a breaker that opens for a tenth of a second. */
export const QUICK: DeliveryRules = {
  ...DELIVERY_RULES,
  pausesMs: [0, 20, 40, 60],
  breaker: { ...DELIVERY_RULES.breaker, pauseMs: 100, longestPauseMs: 400 },
}

export interface DeliveryTests {
  /** An empty store and what deliveries need beside it. */
  readonly world: (options?: OpenOptions) => Promise<DeliveryWorld>
  /** Sends until the end of the test. */
  readonly run: (world: DeliveryWorld, options?: DeliveriesOptions) => RunningDeliveries
  readonly place: StorePlace
  readonly engine: Engine
}

/** Runs tests of deliveries on either store. */
export async function describeDeliveries(name: string, body: (tests: DeliveryTests) => void): Promise<void> {
  await describeEachStore(name, MIGRATIONS, (open, place, engine) => {
    const running: RunningDeliveries[] = []
    // Before the store is closed: hooks run in the order opposite to the one in which they were given.
    afterEach(async () => void (await Promise.all(running.splice(0).map((one) => one.stop()))))
    body({
      place,
      engine,
      world: async (options) => deliveryWorld(await open(options)),
      run(world, options) {
        const one = runDeliveries(world, { pollMs: 20, rules: QUICK, graceMs: 500, ...options })
        running.push(one)
        return one
      },
    })
  })
}

/** A receiver for the time of the test; returns its address. */
export async function receiver(listener: RequestListener): Promise<string> {
  const { port } = await httpReceiver(listener, onTestFinished)
  return `http://127.0.0.1:${port}/hook`
}
