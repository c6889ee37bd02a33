import type { Ids } from '@stagecraft/spec'
import { EVENT_DATA, type EventData, type EventKind } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'
import { newDelivery } from '../webhooks/to-delivery.ts'

interface PublishSetup {
  readonly ids: Ids
  /** By the clock of the database. */
  readonly now: number
}

/**
 * Writes an event, and a delivery for every webhook that wants it, in the transaction of the change that caused it.
 */
export async function publish<Kind extends EventKind>(
  transaction: Transaction<Database>,
  newEvent: NewEvent<Kind>,
  { ids, now }: PublishSetup,
): Promise<void> {
  const { event, projectId } = newEvent
  const eventId = await writeEvent(transaction, newEvent, { ids, now })
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('project_id', '=', projectId)
    .where('state', '!=', 'disabled')
    .execute()
  const rows = webhooks
    .filter(({ events }) => (JSON.parse(events) as readonly string[]).includes(event))
    .map(({ id: webhookId }) =>
      newDelivery({ id: ids.next('dlv'), projectId, webhookId, eventId, event, trigger: 'event', now }),
    )
  if (rows.length > 0) await transaction.insertInto('deliveries').values(rows).execute()
}

interface NewEvent<Kind extends EventKind = EventKind> {
  readonly projectId: string
  readonly event: Kind
  readonly data: EventData[Kind]
}

interface EventSetup {
  readonly ids: Ids
  /** By the clock of the database. */
  readonly now: number
  /** True for an invented event that tries a webhook: no list has it, and its id says so. @default false */
  readonly isTest?: boolean
}

/** Writes an event and nothing else; returns its id. */
export async function writeEvent<Kind extends EventKind>(
  transaction: Transaction<Database>,
  { data, event, projectId }: NewEvent<Kind>,
  { ids, now, isTest = false }: EventSetup,
): Promise<string> {
  // At the end, since ids sort by time.
  const id = isTest ? `${ids.next('evt')}test` : ids.next('evt')
  const created_at = new Date(now).toISOString()
  // The order of the members is that of the schema, whoever made the object.
  const ordered = EVENT_DATA[event].parse(data)
  const payload = JSON.stringify({ id, event, created_at, project_id: projectId, data: ordered })
  await transaction
    .insertInto('events')
    .values({ id, project_id: projectId, event, created_at: now, payload, is_test: isTest ? 1 : 0 })
    .execute()
  return id
}
