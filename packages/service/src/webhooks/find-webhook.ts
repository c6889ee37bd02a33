import type { Kysely } from 'kysely'
import { notFound } from '../resources/errors.ts'
import type { Database, WebhookRow } from '../store/schema.ts'

export interface WebhookKey {
  readonly webhookId: string
  readonly projectId: string
}

/** @throws {StagecraftError} NOT_FOUND, also for one of another project. */
export async function findWebhook(
  database: Kysely<Database>,
  { projectId, webhookId }: WebhookKey,
): Promise<WebhookRow> {
  const row = await webhookQuery(database, { projectId, webhookId }).executeTakeFirst()
  if (!row) throw notFound('webhook', webhookId)
  return row
}

export function webhookQuery(database: Kysely<Database>, { projectId, webhookId }: WebhookKey) {
  return database
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', webhookId)
    .where('project_id', '=', projectId)
}
