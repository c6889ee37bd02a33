import {
  type ApiHandlers,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryState,
  exampleEvent,
  type EventKind,
} from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { sendOne } from '../delivery/run-deliveries.ts'
import { writeEvent } from '../events/publish.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { timeMember } from '../resources/job-members.ts'
import { ownedRow } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { refuseDisabled, type WebhookKey } from './change-webhook.ts'
import { getDeliveryRequest } from './delivery-request.ts'
import { redeliverMany } from './redeliver-many.ts'
import { newDelivery, toAttempt, toDelivery } from './to-delivery.ts'
import { eventsOf } from './to-webhook.ts'
import { StagecraftError } from '@stagecraft/spec'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database, WebhookRow } from '../store/schema.ts'

export type DeliveryHandlers = Pick<
  ApiHandlers,
  | 'testWebhook'
  | 'getWebhookStats'
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

/** Those of every webhook of the project, in the order of one index. */
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
    // As text, not as a parameter: PostgreSQL knows by it that an index on some states is enough.
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

/** Fits into one statement of both engines, and holds nobody up for long. */
const BATCH = 1000

type ReplayCall = CallOf<'replayEvents'>

/** Writes a delivery for each event of the range, oldest first, and returns how many; of a dry run how many it would be. */
async function replayEvents(
  context: ServiceContext,
  { body, caller, params }: ReplayCall,
): ReplyOf<'replayEvents'> {
  const { store } = context
  const key = { ...params, projectId: caller.projectId }
  const webhook = await ownedRow(store, 'webhooks', { projectId: caller.projectId, id: params.webhookId })
  const range = rangeOf(body, webhook, await store.now())
  if (body.dryRun === true) return { data: { deliveries: await count(store.db, range) } }
  let deliveries = 0
  let after: EventPosition | undefined
  do {
    const batch = await replayBatch(context, key, { range, after })
    deliveries += batch.length
    after = batch.length < BATCH ? undefined : batch.at(-1)
  } while (after)
  return { data: { deliveries } }
}

function rangeOf(body: ReplayCall['body'], webhook: WebhookRow, now: number): EventRange {
  const since = Date.parse(body.since)
  const until = body.until === undefined ? now : Date.parse(body.until)
  if (since > until) {
    const received = `${body.since}, after ${body.until ?? new Date(now).toISOString()}`
    throw StagecraftError.invalid([{ path: 'since', expected: 'a time before until', received }])
  }
  const wanted = eventsOf(webhook)
  refuseOthers(body.events ?? [], wanted)
  refuseDisabled(webhook)
  const { id: webhookId, project_id: projectId } = webhook
  return {
    since,
    until,
    events: body.events ?? wanted,
    webhookId,
    projectId,
    isMissedOnly: body.only === 'missed',
  }
}

function refuseOthers(asked: readonly EventKind[], wanted: readonly EventKind[]): void {
  const [first, ...others] = asked.flatMap((event, index) =>
    wanted.includes(event)
      ? []
      : [{ path: `events.${index}`, expected: `one of ${wanted.join(', ')}`, received: event }],
  )
  if (first) throw StagecraftError.invalid([first, ...others])
}

async function count(database: Kysely<Database>, range: EventRange): Promise<number> {
  const { total } = await replayQuery(database, range)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

async function replayBatch(
  context: ServiceContext,
  key: WebhookKey,
  { after, range }: { readonly range: EventRange; readonly after: EventPosition | undefined },
): Promise<readonly EventPosition[]> {
  return await change(context, key.projectId, async (tx) => {
    refuseDisabled(await tx.own('webhooks', key.webhookId, { lock: 'share' }))
    const now = await tx.now()
    const events = await nextEvents(tx.db, range, after)
    tx.wakeAfter('deliveries')
    const rows = events.map(({ event, id: eventId }) =>
      newDelivery({ ...key, id: tx.ids.next('dlv'), eventId, event, trigger: 'replay', now }),
    )
    if (rows.length > 0) await tx.db.insertInto('deliveries').values(rows).execute()
    return events
  })
}

async function nextEvents(
  transaction: Transaction<Database>,
  range: EventRange,
  after: EventPosition | undefined,
) {
  return await replayQuery(transaction, range, after)
    .select(['id', 'event', 'created_at'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()
}

/** The events that one webhook receives again. */
interface EventRange {
  readonly projectId: string
  readonly webhookId: string
  readonly events: readonly EventKind[]
  /** The first millisecond. */
  readonly since: number
  /** The first millisecond after it. */
  readonly until: number
  /** Leaves out those that arrived. */
  readonly isMissedOnly: boolean
}

/** The position at which one batch ended and the next continues. */
interface EventPosition {
  readonly created_at: number
  readonly id: string
}

/** The events of a range; made-up ones are in none. */
function replayQuery(database: Kysely<Database>, range: EventRange, after?: EventPosition) {
  const { events, isMissedOnly, projectId, since, until, webhookId } = range
  return database
    .selectFrom('events')
    .where('project_id', '=', projectId)
    .where('is_test', '=', 0)
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('event', 'in', events)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${after?.created_at}, ${after?.id})`),
    )
    .$if(isMissedOnly, (query) => query.where(neverArrived(webhookId)))
}

/** Two questions, each in the words of an index on some of the rows: as one, neither engine would use them. */
function neverArrived(webhookId: string) {
  const arrived = (trigger: ReturnType<typeof sql>) => sql`exists (
    select 1 from deliveries
    where deliveries.event_id = events.id and deliveries.webhook_id = ${webhookId}
      and ${trigger} and deliveries.state = 'delivered'
  )`
  const first = arrived(sql`deliveries.trigger = 'event'`)
  const again = arrived(sql`deliveries.trigger <> 'event'`)
  return sql<boolean>`not ${first} and not ${again}`
}
