import type { Ids } from '@stagecraft/spec'
import type { EventKind } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'
import { newDelivery } from '../webhooks/new-delivery.ts'
import { type NewEvent, writeEvent } from './write-event.ts'

export interface PublishSetup {
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
