import { sql, type Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

/** The number that one call cancels. A transaction with a million rows would block all others. */
const CANCELLED_AT_ONCE = 1000

/**
 * Cancels the waiting deliveries of a webhook. Running attempts finish, and are not retried if the webhook is disabled
 * or deleted.
 *
 * @returns The number of cancelled deliveries; `CANCELLED_AT_ONCE` if there may be more.
 */
export async function cancelDeliveries(
  transaction: Transaction<Database>,
  webhookId: string,
  now: number,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update deliveries set state = 'cancelled', finished_at = ${now} where id in (
      select id from deliveries where webhook_id = ${webhookId} and state = 'pending'
      order by next_at limit ${CANCELLED_AT_ONCE}
    ) and state = 'pending' returning id`.execute(transaction)
  return rows.length
}

/** Cancels everything that waits for a webhook, in batches, while it is disabled. */
export async function cancelWaiting(store: Store, webhookId: string): Promise<void> {
  const cancelSome = (): Promise<number> =>
    store.transaction(async (transaction) => {
      const webhook = await transaction
        .selectFrom('webhooks')
        .select('state')
        .where('id', '=', webhookId)
        .executeTakeFirst()
      if (webhook?.state !== 'disabled') return 0
      return await cancelDeliveries(transaction, webhookId, await store.now(transaction))
    })
  while ((await cancelSome()) === CANCELLED_AT_ONCE);
}
