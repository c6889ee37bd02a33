// A process that sends deliveries, and publishes events when it is told to.
import { setTimeout as pause } from 'node:timers/promises'
import { runDeliveries } from '../../../packages/service/src/delivery/run-deliveries.ts'
import { MIGRATIONS } from '../../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../../packages/service/src/store/open-store.ts'
import { deliveryWorld, publishEvents } from '../../service/deliveries/delivery-world.ts'
import type { StorePlace } from '../../service/each-store.ts'

/** What a sender is told. */
export type SenderOrder =
  | { readonly kind: 'send' }
  | { readonly kind: 'read' }
  /** So many events each second, for so long. */
  | { readonly kind: 'publish'; readonly perSecond: number; readonly seconds: number }

const place = JSON.parse(process.argv[2] ?? '') as StorePlace
const world = deliveryWorld(await openStore({ migrations: MIGRATIONS, ...place }))

process.on('message', (order: SenderOrder) => void obey(order))
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function obey(order: SenderOrder): Promise<void> {
  if (order.kind === 'send') runDeliveries(world)
  else if (order.kind === 'publish') await publish(order.perSecond, order.seconds)
  process.send?.({ cpu: process.cpuUsage(), log: world.log.splice(0) })
}

/** At equal distances, whether or not the one before is done. */
async function publish(perSecond: number, seconds: number): Promise<void> {
  const start = performance.now()
  const all: Promise<void>[] = []
  for (let index = 0; index < perSecond * seconds; index++) {
    const wait = start + (index * 1000) / perSecond - performance.now()
    if (wait > 0) await pause(wait)
    all.push(publishEvents(world, 1))
  }
  await Promise.all(all)
}
