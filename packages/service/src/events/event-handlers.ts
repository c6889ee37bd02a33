import type { ApiHandlers, ApiOperations, Call, EventRecord, Reply } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import type { Database, EventRow } from '../store/schema.ts'
import { eventTypes } from './event-types.ts'

/** Creates the handlers of the operations on events. */
export function eventHandlers({
  store,
}: Pick<ServiceContext, 'store'>): Pick<ApiHandlers, 'listEvents' | 'getEvent' | 'listEventTypes'> {
  const types = [...eventTypes()]
  return {
    listEvents: async (call) => await listEvents(store.db, call),
    getEvent: async ({ caller, params }) => {
      const key = { projectId: caller.projectId, id: params.eventId }
      return { data: toEvent(await ownedRow(store, 'events', key)) }
    },
    listEventTypes: () => Promise.resolve({ data: { items: types } }),
  }
}

/** `since` is the first millisecond of the range, and `until` the first behind it. */
async function listEvents(
  database: Kysely<Database>,
  { caller, query }: Call<ApiOperations['listEvents']>,
): Promise<Reply<ApiOperations['listEvents']>> {
  let rows = database
    .selectFrom('events')
    .select(['id', 'created_at', 'payload'])
    .where('project_id', '=', caller.projectId)
    .where('is_test', '=', 0)
  if (query.event !== undefined) rows = rows.where('event', '=', query.event)
  if (query.since !== undefined) rows = rows.where('created_at', '>=', Date.parse(query.since))
  if (query.until !== undefined) rows = rows.where('created_at', '<', Date.parse(query.until))
  const found = await page(rows, query)
  return { data: { items: found.rows.map(toEvent) }, nextCursor: found.nextCursor }
}

/** Returns the event exactly as it was sent. */
function toEvent({ payload }: Pick<EventRow, 'payload'>): EventRecord {
  return JSON.parse(payload) as EventRecord
}
