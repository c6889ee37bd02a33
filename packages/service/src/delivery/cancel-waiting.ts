import type { Store } from '../store/store.ts'
import { CANCELLED_AT_ONCE, cancelDeliveries } from './cancel-deliveries.ts'

/** Cancels all that waits for a webhook, some at a time, for as long as it is disabled. */
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
