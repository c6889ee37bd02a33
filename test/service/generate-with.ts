import type { GenerationOptions } from '@stagecraft/spec'
import type { Shop } from './open-shop.ts'
import { callOf } from './open-test-context.ts'

/** Changes the options of the one unit, that of `main.orders`, and generates it by them. */
export async function generateWith(shop: Shop, options: GenerationOptions): Promise<void> {
  const { data } = await shop.handlers.listUnits(callOf(shop.caller, {}))
  const [unit] = data.items
  await shop.handlers.updateUnit(callOf(shop.caller, { params: { unitId: unit?.id }, body: { options } }))
  await shop.generate('main.orders', { options })
}
