import { sql, type Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'

/** The number that one call cancels: a transaction for a million would block all others. */
export const CANCELLED_AT_ONCE = 1000

/**
 * Cancels what waits for a webhook. What is under way ends by itself: it is not tried again when the webhook is disabled
 * by then, or deleted.
 *
 * @returns how many; as many as `CANCELLED_AT_ONCE` when there may be more.
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
