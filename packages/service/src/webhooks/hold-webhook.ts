import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { notFound } from '../resources/errors.ts'
import type { Database, WebhookRow } from '../store/schema.ts'
import { type WebhookKey, webhookQuery } from './find-webhook.ts'

export interface HoldOptions extends WebhookKey {
  readonly store: ServiceContext['store']
  /** `change`: nobody else changes it meanwhile; `stay`: nobody deletes it meanwhile. */
  readonly so: 'change' | 'stay'
}

/**
 * Reads a webhook and holds it until the transaction ends. SQLite has one writer, and nothing to lock.
 *
 * @throws {StagecraftError} NOT_FOUND, also for one of another project.
 */
export async function holdWebhook(
  transaction: Transaction<Database>,
  { so, store, ...key }: HoldOptions,
): Promise<WebhookRow> {
  const query = webhookQuery(transaction, key)
  const isShared = store.engine === 'postgres'
  const row = await query
    .$if(isShared && so === 'change', (select) => select.forUpdate())
    .$if(isShared && so === 'stay', (select) => select.forKeyShare())
    .executeTakeFirst()
  if (!row) throw notFound('webhook', key.webhookId)
  return row
}
