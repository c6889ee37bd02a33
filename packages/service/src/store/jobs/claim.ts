import { randomUUID } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Store } from '../store.ts'
import type { JobColumns, JobTable } from './job-table.ts'

export interface ClaimOptions<Table extends string> {
  readonly table: Table
  /** Names the process, for people who look into the table. */
  readonly worker: string
  /** The most rows to take. */
  readonly limit: number
  /** The lease in milliseconds, unless `heartbeat` extends it. */
  readonly leaseMs: number
  /** A further condition for a row that is due. Its columns are those of the table. */
  readonly where?: RawBuilder<boolean>
}

/**
 * Takes rows that are due, and before them those whose worker has gone silent, oldest first. No row is given to two at once.
 * Every claim has a token of its own in `lease_owner`: a worker that wakes up late holds nothing any more.
 *
 * Wants two partial indexes: on `due_at` where `state = 'queued'`, and on `lease_until` where `state = 'running'`.
 */
export async function claim<Database, Table extends JobTable<Database>>(
  store: Store<Database>,
  { leaseMs, limit, table, where = sql<boolean>`1 = 1`, worker }: ClaimOptions<Table>,
): Promise<readonly Selectable<Database[Table]>[]> {
  // Read once: PostgreSQL finds nothing by an index that is compared with a clock that runs on.
  const now = sql<number>`(select ${store.nowMs()})`
  const name = sql.table(table)
  // SQLite has one writer at a time, so that nobody else's choice is there to be skipped
  const skip = store.engine === 'postgres' ? sql`for update skip locked` : sql``
  const { rows } = await sql<JobColumns>`
    with expired as (
      select id from ${name} where state = 'running' and lease_until <= ${now}
      order by lease_until limit ${limit} ${skip}
    ), due as (
      select id from ${name} where state = 'queued' and due_at <= ${now} and ${where}
      order by due_at, id limit (select ${limit} - count(*) from expired) ${skip}
    )
    update ${name} set state = 'running', attempts = attempts + 1,
      lease_owner = ${`${worker}:${randomUUID()}`}, lease_until = ${now} + ${leaseMs}
    where id in (select id from expired union all select id from due)
    returning *`.execute(store.db)
  return rows.toSorted(byDueTime) as unknown as readonly Selectable<Database[Table]>[]
}

/** `returning` has no order. */
function byDueTime(one: JobColumns, other: JobColumns): number {
  return one.due_at - other.due_at || (one.id < other.id ? -1 : 1)
}
