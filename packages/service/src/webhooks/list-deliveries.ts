import type { ApiOperations, Call, Reply } from '@stagecraft/spec/api'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import type { Store } from '../store/store.ts'
import { toDelivery } from './to-delivery.ts'

type ListOperation = ApiOperations['listDeliveries']

/** `since` is the first millisecond of the range, and `until` the first behind it. */
export async function listDeliveries(
  store: Store,
  { caller, params, query }: Call<ListOperation>,
): Promise<Reply<ListOperation>> {
  const { id } = await ownedRow(store, 'webhooks', { projectId: caller.projectId, id: params.webhookId })
  let rows = store.db.selectFrom('deliveries').selectAll().where('webhook_id', '=', id)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.event !== undefined) rows = rows.where('event', '=', query.event)
  if (query.since !== undefined) rows = rows.where('created_at', '>=', Date.parse(query.since))
  if (query.until !== undefined) rows = rows.where('created_at', '<', Date.parse(query.until))
  const found = await page(rows, query)
  return { data: { items: found.rows.map(toDelivery) }, nextCursor: found.nextCursor }
}
