import { StagecraftError } from '@stagecraft/spec'
import type { EventKind } from '@stagecraft/spec/api'
import { type Kysely, sql, type Transaction } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { ownedRow } from '../store/rows.ts'
import type { Database, DeliveryRow, WebhookRow } from '../store/schema.ts'
import { refuseDisabled, type WebhookKey } from './change-webhook.ts'
import { newDelivery } from './to-delivery.ts'
import { eventsOf } from './to-webhook.ts'

/** The maximum number of deliveries that one request creates. */
const MOST = 10_000

/** Fits into one statement of both engines, and blocks others only briefly. */
const BATCH = 500

/** The states of deliveries that did not arrive. */
const NOT_ARRIVED = ['exhausted', 'cancelled', 'expired'] as const

type Body = CallOf<'redeliverMany'>['body']

/** Creates new deliveries of those that the filter selects, oldest first; a dry run only counts them. */
export async function redeliverMany(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'redeliverMany'>,
): ReplyOf<'redeliverMany'> {
  const { store } = context
  if (body.webhookId !== undefined) await ownedRow(store, 'webhooks', { projectId, id: body.webhookId })
  const count = async (): Promise<number> => {
    const { total } = await select(store.db, projectId, body)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return total
  }
  if (body.dryRun === true) {
    const all = await count()
    return { data: { deliveries: Math.min(all, MOST), remaining: Math.max(0, all - MOST) } }
  }
  let deliveries = 0
  for (let isFull = true; isFull && deliveries < MOST;) {
    const made = await redeliverBatch(context, projectId, body)
    deliveries += made
    isFull = made === BATCH
  }
  return { data: { deliveries, remaining: await count() } }
}

/** New deliveries are newer than their originals, so no later batch selects them. */
async function redeliverBatch(context: ServiceContext, projectId: string, body: Body): Promise<number> {
  return await change(context, projectId, async (tx) => {
    // Two simultaneous requests would otherwise create duplicates.
    await tx.ownProject({ lock: 'update' })
    const now = await tx.now()
    const found = await select(tx.db, projectId, body)
      .select(['event', 'event_id', 'webhook_id'])
      .orderBy('created_at')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const rows = found.map(({ event, event_id: eventId, webhook_id: webhookId }): DeliveryRow => {
      const again = { id: tx.ids.next('dlv'), projectId, webhookId, eventId, event, now }
      return newDelivery({ ...again, trigger: 'manual' })
    })
    if (rows.length > 0) await tx.db.insertInto('deliveries').values(rows).execute()
    tx.wakeAfter('deliveries')
    return rows.length
  })
}

/**
 * Selects the newest finished delivery of each event and webhook, unless the webhook is disabled or the event deleted.
 */
function select(db: Kysely<Database>, projectId: string, body: Body) {
  const { events, search, since, states = NOT_ARRIVED, status, until, webhookId } = body
  return db
    .selectFrom('deliveries')
    .where('project_id', '=', projectId)
    .where('state', 'in', states)
    .where('trigger', '<>', 'test')
    .where(
      allOf([
        isValue('webhook_id', webhookId),
        isValue('last_status', status),
        events && sql<boolean>`event in (${sql.join(events)})`,
        search === undefined ? undefined : hasText(['last_failure'], search),
        ...inPeriod({ since, until }),
      ]),
    )
    .where(sql<boolean>`exists (select 1 from events where events.id = deliveries.event_id)`)
    .where(
      sql<boolean>`exists (
        select 1 from webhooks where webhooks.id = deliveries.webhook_id and webhooks.state <> 'disabled')`,
    )
    .where(
      // Phrased like an index: the first delivery of an event is older than all others of it.
      sql<boolean>`not exists (
        select 1 from deliveries later
        where later.event_id = deliveries.event_id and later.webhook_id = deliveries.webhook_id
          and later.trigger <> 'event' and later.id > deliveries.id)`,
    )
}

/** Fits into one statement of both engines, and blocks others only briefly. Event rows are shorter. */
const EVENT_BATCH = 1000

type ReplayCall = CallOf<'replayEvents'>

/** Creates a delivery for each event of the range, oldest first, and returns the number; a dry run only counts them. */
export async function replayEvents(
  context: ServiceContext,
  { body, caller, params }: ReplayCall,
): ReplyOf<'replayEvents'> {
  const { store } = context
  const key = { ...params, projectId: caller.projectId }
  const webhook = await ownedRow(store, 'webhooks', { projectId: caller.projectId, id: params.webhookId })
  const range = rangeOf(body, webhook, await store.now())
  if (body.dryRun === true) return { data: { deliveries: await countEvents(store.db, range) } }
  let deliveries = 0
  let after: EventPosition | undefined
  do {
    const batch = await replayBatch(context, key, { range, after })
    deliveries += batch.length
    after = batch.length < EVENT_BATCH ? undefined : batch.at(-1)
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

async function countEvents(database: Kysely<Database>, range: EventRange): Promise<number> {
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
    .limit(EVENT_BATCH)
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
  /** Excludes events that arrived. */
  readonly isMissedOnly: boolean
}

/** The position at which one batch ended and the next continues. */
interface EventPosition {
  readonly created_at: number
  readonly id: string
}

/** Selects the events of a range, without test events. */
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

/** Two conditions, each phrased like a partial index. Combined, neither engine would use the indexes. */
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
