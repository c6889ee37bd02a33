import type { Ids } from '@stagecraft/spec'
import { EVENT_DATA, type EventData, type EventKind } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import { chunksOf } from '../store/rows.ts'
import type { Database, EventRow } from '../store/schema.ts'
import { newDelivery } from '../webhooks/to-delivery.ts'

interface PublishSetup {
  readonly ids: Ids
  /** By the clock of the database. */
  readonly now: number
}

/** Writes an event, and a delivery for every subscribed webhook, in the transaction of the change that caused it. */
export async function publish<Kind extends EventKind>(
  transaction: Transaction<Database>,
  { data, ...of }: NewEvent<Kind>,
  setup: PublishSetup,
): Promise<void> {
  await publishAll(transaction, { ...of, all: [data] }, setup)
}

interface NewEvents<Kind extends EventKind> extends Omit<NewEvent<Kind>, 'data'> {
  /** The data of each event, in order. */
  readonly all: readonly EventData[Kind][]
}

/** The number of rows in one statement. A project with many webhooks has many rows for each event. */
const AT_ONCE = 500

/** Writes events of one kind, and their deliveries. */
export async function publishAll<Kind extends EventKind>(
  transaction: Transaction<Database>,
  { all, event, projectId }: NewEvents<Kind>,
  { ids, now }: PublishSetup,
): Promise<void> {
  const rows = all.map((data) => eventRow({ projectId, event, data }, { ids, now }))
  for (const chunk of chunksOf(rows, AT_ONCE)) await transaction.insertInto('events').values(chunk).execute()
  const webhooks = await transaction
    .selectFrom('webhooks')
    .select(['id', 'events'])
    .where('project_id', '=', projectId)
    .where('state', '!=', 'disabled')
    .execute()
  const wanting = webhooks.filter(({ events }) => (JSON.parse(events) as readonly string[]).includes(event))
  const deliveries = rows.flatMap(({ id: eventId }) =>
    wanting.map(({ id: webhookId }) =>
      newDelivery({ id: ids.next('dlv'), projectId, webhookId, eventId, event, trigger: 'event', now }),
    ),
  )
  for (const chunk of chunksOf(deliveries, AT_ONCE))
    await transaction.insertInto('deliveries').values(chunk).execute()
}

interface NewEvent<Kind extends EventKind = EventKind> {
  readonly projectId: string
  readonly event: Kind
  readonly data: EventData[Kind]
}

interface EventSetup {
  readonly ids: Ids
  /** By the clock of the database. */
  readonly now: number
  /** True for a test event of one webhook: lists leave it out, and its id shows it. @default false */
  readonly isTest?: boolean
}

/** Writes an event without deliveries; returns its id. */
export async function writeEvent<Kind extends EventKind>(
  transaction: Transaction<Database>,
  newEvent: NewEvent<Kind>,
  setup: EventSetup,
): Promise<string> {
  const row = eventRow(newEvent, setup)
  await transaction.insertInto('events').values(row).execute()
  return row.id
}

function eventRow<Kind extends EventKind>(
  { data, event, projectId }: NewEvent<Kind>,
  { ids, now, isTest = false }: EventSetup,
): EventRow {
  // Read last, because ids sort by time.
  const id = isTest ? `${ids.next('evt')}test` : ids.next('evt')
  const created_at = new Date(now).toISOString()
  // The members have the order of the schema, whatever the order in the object.
  const ordered = EVENT_DATA[event].parse(data)
  const payload = JSON.stringify({ id, event, created_at, project_id: projectId, data: ordered })
  return { id, project_id: projectId, event, created_at: now, payload, is_test: isTest ? 1 : 0 }
}
