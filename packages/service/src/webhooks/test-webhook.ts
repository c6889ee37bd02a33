import { type DeliveryDetail, exampleEvent, type EventKind } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { sendOne } from '../delivery/send-one.ts'
import { writeEvent } from '../events/write-event.ts'
import type { WebhookKey } from './change-webhook.ts'
import { findDelivery } from './find-delivery.ts'
import { newDelivery } from './new-delivery.ts'
import { eventsOf } from './to-webhook.ts'

/** Longer than an attempt takes: until then the row is left to this process, and only sent later if that ended. */
const LEFT_ALONE_MS = 60_000

export interface TestOptions extends WebhookKey {
  /** The kind. Default: the first that the webhook subscribes to. */
  readonly event: EventKind | undefined
}

/** Sends a made-up event to this webhook and to no other, whatever its state, and tells how it went. */
export async function testWebhook(
  context: ServiceContext,
  { event: asked, ...key }: TestOptions,
): Promise<DeliveryDetail> {
  const { projectId, webhookId } = key
  const deliveryId = await change(context, projectId, async (tx) => {
    const webhook = await tx.own('webhooks', webhookId, { lock: 'share' })
    const now = await tx.now()
    const event = asked ?? eventsOf(webhook)[0] ?? 'generation.completed'
    const { data } = exampleEvent(event)
    const eventId = await writeEvent(tx.db, { projectId, event, data }, { ids: tx.ids, now, isTest: true })
    const row = newDelivery({
      id: tx.ids.next('dlv'),
      projectId,
      webhookId,
      eventId,
      event,
      trigger: 'test',
      now,
      dueAt: now + LEFT_ALONE_MS,
    })
    await tx.db.insertInto('deliveries').values(row).execute()
    return row.id
  })
  await sendOne(context, deliveryId)
  return await findDelivery(context.store, { deliveryId, projectId })
}
