import type { Ids } from '@stagecraft/spec'
import { EVENT_DATA, type EventData, type EventKind } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'

export interface NewEvent<Kind extends EventKind = EventKind> {
  readonly projectId: string
  readonly event: Kind
  readonly data: EventData[Kind]
}

export interface PublishSetup {
  readonly ids: Ids
  /** By the clock of the database. */
  readonly now: number
}

/**
 * Writes an event, and a delivery for every webhook that wants it, in the transaction of the change that caused it. When
 * that is committed, `wake.notify('deliveries')` sends them at once.
 */
export async function publish<Kind extends EventKind>(
  transaction: Transaction<Database>,
  { data, event, projectId }: NewEvent<Kind>,
  { ids, now }: PublishSetup,
): Promise<void> {
  const id = ids.next('evt')
  const created_at = new Date(now).toISOString()
  // The order of the members is that of the schema, whoever made the object.
  const ordered = EVENT_DATA[event].parse(data)
  const payload = JSON.stringify({ id, event, created_at, project_id: projectId, data: ordered })
  await transaction
    .insertInto('events')
    .values({ id, project_id: projectId, event, created_at: now, payload })
    .execute()
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('project_id', '=', projectId)
    .where('state', '!=', 'disabled')
    .execute()
  const wanting = webhooks.filter(({ events }) => (JSON.parse(events) as readonly string[]).includes(event))
  if (wanting.length === 0) return
  const rows = wanting.map((webhook) => ({
    id: ids.next('dlv'),
    project_id: projectId,
    webhook_id: webhook.id,
    event_id: id,
    event,
    state: 'pending' as const,
    trigger: 'event' as const,
    attempts: 0,
    next_at: now,
    lease_owner: null,
    lease_until: null,
    last_status: null,
    last_failure: null,
    created_at: now,
    finished_at: null,
  }))
  await transaction.insertInto('deliveries').values(rows).execute()
}
