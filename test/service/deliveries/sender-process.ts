// A process that sends deliveries until it is killed: node sender-process.ts <place> <options>, both in JSON.
import { runDeliveries } from '../../../packages/service/src/delivery/run-deliveries.ts'
import { MIGRATIONS } from '../../../packages/service/src/store/migrations/index.ts'
import { openStore } from '../../../packages/service/src/store/open-store.ts'
import type { StorePlace } from '../each-store.ts'
import { deliveryWorld } from './delivery-world.ts'

const [place, options] = process.argv.slice(2).map((text) => JSON.parse(text) as object)
const store = await openStore({ migrations: MIGRATIONS, ...(place as StorePlace) })
process.on('disconnect', () => process.exit())
runDeliveries(deliveryWorld(store), options)
process.send?.('ready')
