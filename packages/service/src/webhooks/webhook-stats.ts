import { type DeliveryState, DELIVERY_STATES } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { timeMember } from '../resources/times.ts'
import type { Database } from '../store/schema.ts'

export interface WebhookStats {
  readonly deliveries: Record<DeliveryState, number>
  readonly oldestPendingAt?: string
}

/** One look at the index by state, whatever the number of deliveries of other webhooks. */
export async function webhookStats(database: Kysely<Database>, webhookId: string): Promise<WebhookStats> {
  const rows = await database
    .selectFrom('deliveries')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('created_at').as('oldest')])
    .where('webhook_id', '=', webhookId)
    .groupBy('state')
    .execute()
  const counts = new Map(rows.map(({ count, state }) => [state, count]))
  const oldest = rows.find(({ state }) => state === 'pending')?.oldest ?? null
  const deliveries = Object.fromEntries(DELIVERY_STATES.map((state) => [state, counts.get(state) ?? 0]))
  return {
    deliveries: deliveries as Record<DeliveryState, number>,
    ...timeMember('oldestPendingAt', oldest),
  }
}
