import type { EventKind } from '@stagecraft/spec/api'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/schema.ts'

/** The events that one webhook receives again. */
export interface EventRange {
  readonly projectId: string
  readonly webhookId: string
  readonly events: readonly EventKind[]
  /** The first millisecond. */
  readonly since: number
  /** The first millisecond that is no more in it. */
  readonly until: number
  /** Leaves out those that arrived. */
  readonly isMissedOnly: boolean
}

/** The position at which one batch ended and the next continues. */
export interface EventPosition {
  readonly created_at: number
  readonly id: string
}

/** The events of a range; made-up ones are in none. */
export function replayQuery(database: Kysely<Database>, range: EventRange, after?: EventPosition) {
  const { events, isMissedOnly, projectId, since, until, webhookId } = range
  return database
    .selectFrom('events')
    .where('project_id', '=', projectId)
    .where('is_test', '=', 0)
    .where('created_at', '>=', since)
    .where('created_at', '<', until)
    .where('event', 'in', events)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${after?.created_at}, ${after?.id})`),
    )
    .$if(isMissedOnly, (query) => query.where(neverArrived(webhookId)))
}

/** Two questions, each in the words of an index on some of the rows: as one, neither engine would use them. */
function neverArrived(webhookId: string) {
  const arrived = (trigger: ReturnType<typeof sql>) => sql`exists (
    select 1 from deliveries
    where deliveries.event_id = events.id and deliveries.webhook_id = ${webhookId}
      and ${trigger} and deliveries.state = 'delivered'
  )`
  const first = arrived(sql`deliveries.trigger = 'event'`)
  const again = arrived(sql`deliveries.trigger <> 'event'`)
  return sql<boolean>`not ${first} and not ${again}`
}
