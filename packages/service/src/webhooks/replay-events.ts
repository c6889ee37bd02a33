import { StagecraftError } from '@stagecraft/spec'
import type { EventKind } from '@stagecraft/spec/api'
import { type Kysely, sql, type Transaction } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { ownedRow } from '../store/owned-rows.ts'
import type { Database, WebhookRow } from '../store/schema.ts'
import { refuseDisabled, type WebhookKey } from './change-webhook.ts'
import { newDelivery } from './to-delivery.ts'
import { eventsOf } from './to-webhook.ts'

/** Fits into one statement of both engines, and holds nobody up for long. */
const BATCH = 1000

type ReplayCall = CallOf<'replayEvents'>

/** Writes a delivery for each event of the range, oldest first, and returns how many; of a dry run how many it would be. */
export async function replayEvents(
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
