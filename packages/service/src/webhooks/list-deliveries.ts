import type { ApiOperations, Call, Reply } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { page } from '../store/page.ts'
import type { Database } from '../store/schema.ts'
import { findWebhook } from './find-webhook.ts'
import { toDelivery } from './to-delivery.ts'

type ListOperation = ApiOperations['listDeliveries']

/** `since` is the first millisecond of the range, and `until` the first behind it. */
export async function listDeliveries(
  database: Kysely<Database>,
  { caller, params, query }: Call<ListOperation>,
): Promise<Reply<ListOperation>> {
  const { id } = await findWebhook(database, { ...params, projectId: caller.projectId })
  let rows = database.selectFrom('deliveries').selectAll().where('webhook_id', '=', id)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.event !== undefined) rows = rows.where('event', '=', query.event)
  if (query.since !== undefined) rows = rows.where('created_at', '>=', Date.parse(query.since))
  if (query.until !== undefined) rows = rows.where('created_at', '<', Date.parse(query.until))
  const found = await page(rows, query)
  return { data: { items: found.rows.map(toDelivery) }, nextCursor: found.nextCursor }
}
