import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { versionConflict } from '../resources/errors.ts'
import type { Database } from '../store/schema.ts'
import type { WebhookKey } from './find-webhook.ts'
import { holdWebhook } from './hold-webhook.ts'

const BATCH = 1000

/**
 * Deletes a webhook with its deliveries, however many, in short transactions. It is disabled from the first one on, so
 * that nothing is added and nothing sent; a process that ends in between leaves it so, to be deleted again.
 */
export async function deleteWebhook(
  { store }: ServiceContext,
  { ifVersion, ...key }: WebhookKey & { readonly ifVersion?: number | undefined },
): Promise<void> {
  let isGone = false
  while (!isGone) {
    isGone = await store.transaction(async (transaction) => {
      const { id, version } = await holdWebhook(transaction, { ...key, store, so: 'change' })
      if (ifVersion !== undefined && ifVersion !== version)
        throw versionConflict('webhook', { current: version, asked: ifVersion })
      const deleted = await deleteSome(transaction, id)
      if (deleted < BATCH) await transaction.deleteFrom('webhooks').where('id', '=', id).execute()
      else await disable(transaction, id)
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
