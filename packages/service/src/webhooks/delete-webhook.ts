import type { Transaction } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { Database } from '../store/schema.ts'
import type { WebhookKey } from './change-webhook.ts'

const BATCH = 1000

/**
 * Deletes a webhook with its deliveries, however many, in short transactions. It is disabled from the first one on, so
 * that nothing is added and nothing sent; a process that ends in between leaves it so, to be deleted again.
 */
export async function deleteWebhook(
  context: ServiceContext,
  { ifVersion, projectId, webhookId }: WebhookKey & { readonly ifVersion?: number | undefined },
): Promise<void> {
  let isGone = false
  while (!isGone) {
    isGone = await change(context, projectId, async (tx) => {
      const { id } = await tx.own('webhooks', webhookId, { lock: 'delete', ifVersion })
      const deleted = await deleteSome(tx.db, id)
      if (deleted < BATCH) await tx.db.deleteFrom('webhooks').where('id', '=', id).execute()
      else await disable(tx.db, id)
      return deleted < BATCH
    })
  }
}

/** Attempts go last: what is claimed meanwhile writes one before it lets go of its delivery. */
async function deleteSome(transaction: Transaction<Database>, webhookId: string): Promise<number> {
  const rows = await transaction
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .limit(BATCH)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await transaction.deleteFrom('deliveries').where('id', 'in', ids).execute()
  await transaction.deleteFrom('attempts').where('delivery_id', 'in', ids).execute()
  return ids.length
}

async function disable(transaction: Transaction<Database>, id: string): Promise<void> {
  await transaction
    .updateTable('webhooks')
    .set({ state: 'disabled', notice: 'it is being deleted' })
    .where('id', '=', id)
    .execute()
}
