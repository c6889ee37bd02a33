import type { DeliveryResource } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import type { Transaction } from 'kysely'
import { notFound } from '../resources/errors.ts'
import type { Database } from '../store/schema.ts'
import { type DeliveryKey, findDeliveryRow } from './find-delivery.ts'
import { holdWebhook } from './hold-webhook.ts'
import { newDelivery } from './new-delivery.ts'
import { refuseDisabled } from './refuse-disabled.ts'
import { toDelivery } from './to-delivery.ts'

/** A new delivery of the same event, due now: what became of the old one stays to be read. */
export async function redeliver(context: ServiceContext, key: DeliveryKey): Promise<DeliveryResource> {
  const { ids, store, wake } = context
  const { projectId } = key
  const row = await store.transaction(async (transaction) => {
    const { event, event_id: eventId, webhook_id: webhookId } = await findDeliveryRow(transaction, key)
    refuseDisabled(await holdWebhook(transaction, { webhookId, projectId, store, so: 'stay' }))
    await refuseForgotten(transaction, eventId)
    const now = await store.now(transaction)
    const again = { id: ids.next('dlv'), projectId, webhookId, eventId, event, now }
    const delivery = newDelivery({ ...again, trigger: 'manual' })
    await transaction.insertInto('deliveries').values(delivery).execute()
    return delivery
  })
  wake.notify('deliveries')
  return toDelivery(row)
}

/** Events are kept for a time, and a delivery that was made again outlives its own. */
async function refuseForgotten(transaction: Transaction<Database>, eventId: string): Promise<void> {
  const event = transaction.selectFrom('events').select('id').where('id', '=', eventId)
  if (!(await event.executeTakeFirst())) throw notFound('event', eventId)
}
