import {
  type ApiHandlers,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryRequest,
  type DeliveryState,
  exampleEvent,
} from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { sendOne } from '../delivery/run-deliveries.ts'
import { writeEvent } from '../events/publish.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { ownedRow } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { refuseDisabled } from './change-webhook.ts'
import { redeliverMany, replayEvents } from './send-again.ts'
import { newDelivery, toAttempt, toDelivery } from './to-delivery.ts'
import { eventsOf } from './to-webhook.ts'
import { type RawBuilder, sql } from 'kysely'
import type { WebhookRow } from '../store/schema.ts'
import { requestHeaders } from '@stagecraft/webhooks'
import { deliveryHeaders, type EndpointSecrets, openSecrets } from '../delivery/send-claimed.ts'
import { timeMember } from '../resources/job-members.ts'

export type DeliveryHandlers = Pick<
  ApiHandlers,
  | 'testWebhook'
  | 'getWebhookStats'
  | 'listWebhookStats'
  | 'replayEvents'
  | 'listDeliveries'
  | 'listAllDeliveries'
  | 'getDelivery'
  | 'getDeliveryRequest'
  | 'redeliver'
  | 'redeliverMany'
>

/** Creates the handlers of the operations on deliveries. */
export function deliveryHandlers(context: ServiceContext): DeliveryHandlers {
  return {
    testWebhook: (call) => testWebhook(context, call),
    getWebhookStats: (call) => getWebhookStats(context, call),
    listWebhookStats: (call) => listWebhookStats(context, call),
    replayEvents: (call) => replayEvents(context, call),
    listDeliveries: (call) => listDeliveries(context, call),
    listAllDeliveries: (call) => listAllDeliveries(context, call),
    getDelivery: (call) => getDelivery(context, call),
    getDeliveryRequest: (call) => getDeliveryRequest(context, call),
    redeliver: (call) => redeliver(context, call),
    redeliverMany: (call) => redeliverMany(context, call),
  }
}

async function listDeliveries(
  { store }: ServiceContext,
  { caller, params, query }: CallOf<'listDeliveries'>,
): ReplyOf<'listDeliveries'> {
  const { id } = await ownedRow(store, 'webhooks', { projectId: caller.projectId, id: params.webhookId })
  const rows = store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', id)
  const found = await page(rows.where(deliveryCondition(query)), query)
  return { data: { items: found.rows.map(toDelivery) }, nextCursor: found.nextCursor }
}

/** Lists the deliveries of every webhook of the project, in the order of one index. */
async function listAllDeliveries(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listAllDeliveries'>,
): ReplyOf<'listAllDeliveries'> {
  const rows = store.db
    .selectFrom('deliveries')
    .selectAll()
    .where('project_id', '=', caller.projectId)
    .where(allOf([isValue('webhook_id', query.webhookId), isValue('event_id', query.eventId)]))
  const found = await page(rows.where(deliveryCondition(query)), query)
  return { data: { items: found.rows.map(toDelivery) }, nextCursor: found.nextCursor }
}

function deliveryCondition(query: CallOf<'listDeliveries'>['query']): RawBuilder<boolean> {
  const { event, search, since, state, status, until } = query
  return allOf([
    // As text, not as a parameter, so that PostgreSQL can use a partial index on these states.
    state && sql<boolean>`state = ${sql.lit(state)}`,
    isValue('event', event),
    isValue('last_status', status),
    search === undefined ? undefined : hasText(['last_failure'], search),
    ...inPeriod({ since, until }),
  ])
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

/** Creates a new delivery of the same event, due now. The old one and its outcome stay. */
async function redeliver(
  context: ServiceContext,
  { caller: { projectId }, params: { deliveryId } }: CallOf<'redeliver'>,
): ReplyOf<'redeliver'> {
  const row = await change(context, projectId, async (tx) => {
    const { event, event_id: eventId, webhook_id: webhookId } = await tx.own('deliveries', deliveryId)
    refuseDisabled(await tx.own('webhooks', webhookId, { lock: 'share' }))
    await tx.own('events', eventId) // The event may have been deleted: a redelivery outlives it.
    const now = await tx.now()
    const again = { id: tx.ids.next('dlv'), projectId, webhookId, eventId, event, now }
    const delivery = newDelivery({ ...again, trigger: 'manual' })
    await tx.db.insertInto('deliveries').values(delivery).execute()
    tx.wakeAfter('deliveries')
    return delivery
  })
  return { data: toDelivery(row) }
}

/** Longer than an attempt. Until then only this process sends the row; later, another one may if this one died. */
const LEFT_ALONE_MS = 60_000

/** Sends a test event to this webhook only, whatever its state, and returns the outcome. */
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

/** Replaces the value of a secret header. */
const HIDDEN = '(hidden)'

/**
 * Returns the request of a delivery as it would be sent now. The original is not stored, and its signature depends on
 * the time.
 */
async function getDeliveryRequest(
  { cipher, store }: ServiceContext,
  { caller: { projectId }, params: { deliveryId } }: CallOf<'getDeliveryRequest'>,
): ReplyOf<'getDeliveryRequest'> {
  const { attempts, event_id, id, webhook_id } = await ownedRow(store, 'deliveries', {
    projectId,
    id: deliveryId,
  })
  const webhook = await ownedRow(store, 'webhooks', { projectId, id: webhook_id })
  // The event may have been deleted: a redelivery outlives it.
  const { payload } = await ownedRow(store, 'events', { projectId, id: event_id })
  const now = await store.now()
  const secrets = openSecrets(cipher)(webhook)
  const headers = deliveryHeaders({
    id,
    eventId: event_id,
    attempt: Math.max(attempts, 1),
    timestamp: Math.floor(now / 1000),
    payload,
    order: signing(secrets, webhook, now),
    given: Object.fromEntries(Object.keys(secrets.headers).map((name) => [name, HIDDEN])),
  })
  const data: DeliveryRequest = {
    method: 'POST',
    url: webhook.url,
    headers: requestHeaders(headers),
    body: payload,
  }
  return { data }
}

function signing(
  { previous, secret }: EndpointSecrets,
  { previous_secret_expires_at }: WebhookRow,
  now: number,
): readonly string[] {
  return previous !== undefined && now < (previous_secret_expires_at ?? 0) ? [secret, previous] : [secret]
}

const RECENT_MS = 7 * 86_400_000
const MOST_RECENT = 1000

/** Summarizes the newest finished deliveries of a webhook. */
async function readRecent(store: ServiceContext['store'], webhookId: string) {
  const newest = store.db
    .selectFrom('deliveries')
    .select(['id', 'state', 'attempts'])
    .where('webhook_id', '=', webhookId)
    .where('created_at', '>=', (await store.now()) - RECENT_MS)
    .where('state', 'in', ['delivered', 'exhausted', 'expired'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_RECENT)
    .as('newest')
  const rows = await store.db
    .selectFrom(newest)
    .leftJoin('attempts', (join) =>
      join.onRef('delivery_id', '=', 'newest.id').onRef('number', '=', 'newest.attempts'),
    )
    .select(['newest.state', 'duration_ms'])
    .execute()
  const times = rows.flatMap(({ duration_ms }) => duration_ms ?? []).toSorted((one, other) => one - other)
  const p95Ms = times[Math.ceil(times.length * 0.95) - 1]
  const delivered = rows.filter(({ state }) => state === 'delivered').length
  return { ended: rows.length, delivered, ...(p95Ms !== undefined && { p95Ms }) }
}

/** A project has at most 50 webhooks, and the newest deliveries of each are read by the index. */
async function listWebhookStats(
  { store }: ServiceContext,
  { caller: { projectId } }: CallOf<'listWebhookStats'>,
): ReplyOf<'listWebhookStats'> {
  const webhooks = await store.db
    .selectFrom('webhooks')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  const items = []
  for (const { id } of webhooks) items.push({ webhookId: id, ...(await readRecent(store, id)) })
  return { data: { items } }
}

/** Uses one index lookup by state and one of the newest, whatever the number of other deliveries. */
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
  const recent = await readRecent(store, id)
  return { data: { deliveries: counted, ...timeMember('oldestPendingAt', oldest), recent } }
}
