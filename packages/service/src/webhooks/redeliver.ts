import type { DeliveryResource } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { DeliveryKey } from './find-delivery.ts'
import { newDelivery } from './new-delivery.ts'
import { refuseDisabled } from './refuse-disabled.ts'
import { toDelivery } from './to-delivery.ts'

/** A new delivery of the same event, due now: what became of the old one stays to be read. */
export async function redeliver(context: ServiceContext, key: DeliveryKey): Promise<DeliveryResource> {
  const { deliveryId, projectId } = key
  const row = await change(context, projectId, async (tx) => {
    const { event, event_id: eventId, webhook_id: webhookId } = await tx.own('deliveries', deliveryId)
    refuseDisabled(await tx.own('webhooks', webhookId, { lock: 'share' }))
    await tx.own('events', eventId) // It may have been pruned: a delivery that was sent again outlives its event.
    const now = await tx.now()
    const again = { id: tx.ids.next('dlv'), projectId, webhookId, eventId, event, now }
    const delivery = newDelivery({ ...again, trigger: 'manual' })
    await tx.db.insertInto('deliveries').values(delivery).execute()
    tx.wakeAfter('deliveries')
    return delivery
  })
  return toDelivery(row)
}
