import type { ServiceContext } from '../context.ts'
import { versionConflict } from '../resources/errors.ts'
import type { WebhookRow } from '../store/schema.ts'
import type { WebhookKey } from './find-webhook.ts'
import { holdWebhook } from './hold-webhook.ts'

export interface Change {
  /** The version that it has to have; undefined for any. */
  readonly ifVersion?: number | undefined
  /** What to write, or undefined when there is nothing to change. */
  readonly columns: (row: WebhookRow, now: number) => Partial<WebhookRow> | undefined
}

/** Changes a webhook, which then has a new version, and returns it. */
export async function changeWebhook(
  { store }: Pick<ServiceContext, 'store'>,
  key: WebhookKey,
  { columns, ifVersion }: Change,
): Promise<WebhookRow> {
  return await store.transaction(async (transaction) => {
    const row = await holdWebhook(transaction, { ...key, store, so: 'change' })
    if (ifVersion !== undefined && ifVersion !== row.version)
      throw versionConflict('webhook', { current: row.version, asked: ifVersion })
    const now = await store.now(transaction)
    const changed = columns(row, now)
    if (changed === undefined) return row
    const written = { ...changed, version: row.version + 1, updated_at: now }
    await transaction.updateTable('webhooks').set(written).where('id', '=', row.id).execute()
    return { ...row, ...written }
  })
}
