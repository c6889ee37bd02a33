import {
  type ApiHandlers,
  EVENT_DATA,
  EVENT_KIND_NAMES,
  EVENT_KINDS,
  type EventKind,
  type EventRecord,
  eventSchema,
  type EventType,
  exampleEvent,
} from '@stagecraft/spec/api'
import { z } from '@stagecraft/spec/zod'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { ownedRow } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { EventRow } from '../store/schema.ts'

type EventHandlers = Pick<ApiHandlers, 'listEvents' | 'getEvent' | 'listEventTypes'>

/** Creates the handlers of the operations on events. */
export function eventHandlers(context: Pick<ServiceContext, 'store'>): EventHandlers {
  const types = [...eventTypes()]
  return {
    listEvents: (call) => listEvents(context, call),
    getEvent: (call) => getEvent(context, call),
    listEventTypes: () => Promise.resolve({ data: { items: types } }),
  }
}

async function getEvent(
  { store }: Pick<ServiceContext, 'store'>,
  { caller: { projectId }, params: { eventId } }: CallOf<'getEvent'>,
): ReplyOf<'getEvent'> {
  return { data: toEvent(await ownedRow(store, 'events', { projectId, id: eventId })) }
}

/** `since` is the first millisecond of the range, and `until` the first after it. */
async function listEvents(
  { store }: Pick<ServiceContext, 'store'>,
  { caller, query }: CallOf<'listEvents'>,
): ReplyOf<'listEvents'> {
  const { event, search, since, until, ...position } = query
  const rows = store.db
    .selectFrom('events')
    .select(['id', 'created_at', 'payload'])
    .where('project_id', '=', caller.projectId)
    .where('is_test', '=', 0)
    .where(
      allOf([
        isValue('event', event),
        search === undefined ? undefined : hasText(['payload'], search),
        ...inPeriod({ since, until }),
      ]),
    )
  const found = await page(rows, position)
  return { data: { items: found.rows.map(toEvent) }, nextCursor: found.nextCursor }
}

/** Returns the event exactly as it was sent. */
function toEvent({ payload }: Pick<EventRow, 'payload'>): EventRecord {
  return JSON.parse(payload) as EventRecord
}

/** Returns every event type with its meaning, the JSON Schema of its body, and an example. */
export function eventTypes(): readonly EventType[] {
  return EVENT_KIND_NAMES.map((event) => ({
    event,
    description: EVENT_KINDS[event],
    schema: bodySchema(event),
    example: exampleEvent(event),
  }))
}

/** Allows unknown members, so that receivers that validate with it accept later additions. */
function bodySchema(event: EventKind): Record<string, unknown> {
  const body = eventSchema.extend({ event: z.literal(event), data: EVENT_DATA[event] })
  const schema = z.toJSONSchema(body, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      delete jsonSchema.readOnly
    },
  })
  return { ...schema }
}
