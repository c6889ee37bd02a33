import { type Kysely, sql } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import type { Database, DeliveryRow } from '../store/schema.ts'
import { newDelivery } from './to-delivery.ts'

/** The most deliveries that one request makes. */
const MOST = 10_000

/** Fits into one statement of both engines, and holds nobody up for long. */
const BATCH = 500

/** Those that did not arrive. */
const NOT_ARRIVED = ['exhausted', 'cancelled', 'expired'] as const

type Body = CallOf<'redeliverMany'>['body']

/** Makes new deliveries of what the filter selects, the oldest first; of a dry run counts them. */
export async function redeliverMany(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'redeliverMany'>,
): ReplyOf<'redeliverMany'> {
  const { store } = context
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

/** What is made here is newer than what it was made of, which no later batch selects again then. */
async function redeliverBatch(context: ServiceContext, projectId: string, body: Body): Promise<number> {
  return await change(context, projectId, async (tx) => {
    // Two requests at once would both make a delivery of the same.
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

/** Deliveries that have ended, of each event and webhook the newest, unless the webhook is disabled or the event gone. */
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
      // In the words of an index: the first delivery of an event is older than all others of it.
      sql<boolean>`not exists (
        select 1 from deliveries later
        where later.event_id = deliveries.event_id and later.webhook_id = deliveries.webhook_id
          and later.trigger <> 'event' and later.id > deliveries.id)`,
    )
}
