import {
  type ApiHandlers,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryState,
  exampleEvent,
} from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { sendOne } from '../delivery/send-one.ts'
import { writeEvent } from '../events/publish.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { timeMember } from '../resources/job-members.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import { refuseDisabled } from './change-webhook.ts'
import { replayEvents } from './replay-events.ts'
import { newDelivery, toAttempt, toDelivery } from './to-delivery.ts'
import { eventsOf } from './to-webhook.ts'

export type DeliveryHandlers = Pick<
  ApiHandlers,
  'testWebhook' | 'getWebhookStats' | 'replayEvents' | 'listDeliveries' | 'getDelivery' | 'redeliver'
>

/** Creates the handlers of the operations on deliveries. */
export function deliveryHandlers(context: ServiceContext): DeliveryHandlers {
  return {
    testWebhook: (call) => testWebhook(context, call),
    getWebhookStats: (call) => getWebhookStats(context, call),
    replayEvents: (call) => replayEvents(context, call),
    listDeliveries: (call) => listDeliveries(context, call),
    getDelivery: (call) => getDelivery(context, call),
    redeliver: (call) => redeliver(context, call),
  }
}

/** `since` is the first millisecond of the range, and `until` the first behind it. */
async function listDeliveries(
  { store }: ServiceContext,
  { caller, params, query }: CallOf<'listDeliveries'>,
): ReplyOf<'listDeliveries'> {
  const { id } = await ownedRow(store, 'webhooks', { projectId: caller.projectId, id: params.webhookId })
  let rows = store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', id)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.event !== undefined) rows = rows.where('event', '=', query.event)
  if (query.since !== undefined) rows = rows.where('created_at', '>=', Date.parse(query.since))
  if (query.until !== undefined) rows = rows.where('created_at', '<', Date.parse(query.until))
  const found = await page(rows, query)
  return { data: { items: found.rows.map(toDelivery) }, nextCursor: found.nextCursor }
}

async function getDelivery(
  context: ServiceContext,
  { caller: { projectId }, params: { deliveryId } }: CallOf<'getDelivery'>,
): ReplyOf<'getDelivery'> {
  return { data: await findDelivery(context, { projectId, deliveryId }) }
}

/** Reads a delivery with all its attempts. @throws {StagecraftError} NOT_FOUND */
async function findDelivery(
  { store }: ServiceContext,
  { deliveryId, projectId }: { readonly deliveryId: string; readonly projectId: string },
): Promise<DeliveryDetail> {
  const row = await ownedRow(store, 'deliveries', { projectId, id: deliveryId })
  const attempts = await store.db
    .selectFrom('attempts')
    .selectAll()
    .where('delivery_id', '=', row.id)
    .orderBy('number')
    .execute()
  return { ...toDelivery(row), attemptLog: attempts.map(toAttempt) }
}

/** One look at the index by state, whatever the number of deliveries of other webhooks. */
async function getWebhookStats(
  { store }: ServiceContext,
  { caller: { projectId }, params: { webhookId } }: CallOf<'getWebhookStats'>,
): ReplyOf<'getWebhookStats'> {
  const { id } = await ownedRow(store, 'webhooks', { projectId, id: webhookId })
  const rows = await store.db
    .selectFrom('deliveries')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('webhook_id', '=', id)
    .groupBy('state')
    .execute()
  const counts = new Map(rows.map(({ count, state }) => [state, count]))
  const oldest = rows.find(({ state }) => state === 'pending')?.oldest ?? null
  const deliveries = Object.fromEntries(DELIVERY_STATES.map((state) => [state, counts.get(state) ?? 0]))
  const counted = deliveries as Record<DeliveryState, number>
  return { data: { deliveries: counted, ...timeMember('oldestPendingAt', oldest) } }
}

/** A new delivery of the same event, due now: what became of the old one stays to be read. */
async function redeliver(
  context: ServiceContext,
  { caller: { projectId }, params: { deliveryId } }: CallOf<'redeliver'>,
): ReplyOf<'redeliver'> {
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
  return { data: toDelivery(row) }
}

/** Longer than an attempt takes: until then the row is left to this process, and only sent later if that ended. */
const LEFT_ALONE_MS = 60_000

/** Sends a made-up event to this webhook and to no other, whatever its state, and returns the outcome. */
async function testWebhook(
  context: ServiceContext,
  { body, caller: { projectId }, params: { webhookId } }: CallOf<'testWebhook'>,
): ReplyOf<'testWebhook'> {
  const deliveryId = await change(context, projectId, async (tx) => {
    const webhook = await tx.own('webhooks', webhookId, { lock: 'share' })
    const now = await tx.now()
    const event = body.event ?? eventsOf(webhook)[0] ?? 'generation.completed'
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
  return { data: await findDelivery(context, { deliveryId, projectId }) }
}
