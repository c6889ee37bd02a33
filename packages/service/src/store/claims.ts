import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { compareText } from '@stagecraft/spec'
import type { Database } from './schema.ts'
import type { Store } from './store.ts'

/** Tables whose rows are jobs. `queued` jobs wait, `running` ones are being worked on; all other states are final. */
const JOB_TABLES = ['scans', 'generations', 'pushes', 'analyses', 'messages'] as const
export type JobTable = (typeof JOB_TABLES)[number]

export type JobRow<Table extends JobTable> = Database[Table]

export interface ClaimOptions<Table extends JobTable> {
  readonly table: Table
  /** Names the process, for people who look into the table. */
  readonly worker: string
  /** The maximum number of rows to claim. */
  readonly limit: number
  /** The lease in milliseconds, unless `renewClaim` extends it. */
  readonly leaseMs: number
  /** A further condition for a row that is due. Its columns are those of the table. */
  readonly where?: RawBuilder<boolean>
}

/**
 * Claims rows whose lease has expired, then rows that are due, each oldest first. No row is claimed twice at the same time.
 * Every claim has a unique token in `lease_owner`, so a worker that resumes late cannot write.
 *
 * Uses two partial indexes: on `due_at` where `state = 'queued'`, and on `lease_until` where `state = 'running'`.
 */
export async function claimJobs<Table extends JobTable>(
  store: Store,
  { leaseMs, limit, table, where = sql<boolean>`1 = 1`, worker }: ClaimOptions<Table>,
): Promise<readonly JobRow<Table>[]> {
  const now = store.nowOnce()
  const name = sql.table(table)
  // SQLite has a single writer, so no rows are locked by others.
  const skip = store.engine === 'postgres' ? sql`for update skip locked` : sql``
  const { rows } = await sql<JobRow<Table>>`
    with expired as (
      select id from ${name} where state = 'running' and lease_until <= ${now}
      order by lease_until limit ${limit} ${skip}
    ), due as (
      select id from ${name} where state = 'queued' and due_at <= ${now} and ${where}
      order by due_at, id limit (select ${limit} - count(*) from expired) ${skip}
    )
    update ${name} set state = 'running', attempts = attempts + 1, started_at = coalesce(started_at, ${now}),
      lease_owner = ${`${worker}:${randomUUID()}`}, lease_until = ${now} + ${leaseMs}
    where id in (select id from expired union all select id from due)
    returning *`.execute(store.db)
  // `returning` guarantees no order.
  return rows.toSorted((one, other) => one.due_at - other.due_at || compareText(one.id, other.id))
}

/** The rows of one claim. */
export interface Claim {
  readonly table: JobTable
  readonly ids: readonly string[]
  /** `lease_owner` of the rows, as `claimJobs` returned them. */
  readonly leaseOwner: string
}

/**
 * Changes rows while their claim is valid: a worker that was frozen for longer than its lease changes nothing. In a
 * transaction the rows are locked, so the claim stays valid until it ends.
 *
 * @param values By column, texts, numbers, null or expressions; undefined values are skipped.
 * @returns The ids of the rows that were changed.
 */
export async function updateClaimed(
  db: Kysely<Database>,
  { ids, leaseOwner, table }: Claim,
  values: object,
): Promise<readonly string[]> {
  const all: readonly (readonly [name: string, value: unknown])[] = Object.entries(values)
  const set = all.filter(([, value]) => value !== undefined)
  if (ids.length === 0 || set.length === 0) return []
  const columns = sql.join(set.map(([name, value]) => sql`${sql.id(name)} = ${value}`))
  const { rows } = await sql<{ id: string }>`
    update ${sql.table(table)} set ${columns}
    where id in (${sql.join(ids)}) and lease_owner = ${leaseOwner} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The columns of a row without a claim. */
export const UNCLAIMED = { lease_owner: null, lease_until: null } as const

/**
 * Extends the claim of rows that are still worked on, by milliseconds from now.
 *
 * @returns The ids of the rows that are still claimed. Work on the others must stop.
 */
export function renewClaim(store: Store, claim: Claim, leaseMs: number): Promise<readonly string[]> {
  return updateClaimed(store.db, claim, { lease_until: sql<number>`${store.nowMs()} + ${leaseMs}` })
}

/**
 * Returns rows to the queue for a process that stops: they are due at once, and the attempt does not count.
 *
 * @returns The ids of the rows that were still claimed.
 */
export function releaseClaim(db: Kysely<Database>, claim: Claim): Promise<readonly string[]> {
  return updateClaimed(db, claim, { state: 'queued', attempts: sql<number>`attempts - 1`, ...UNCLAIMED })
}

/** Returns the rows whose cancellation was requested. */
export async function findCancelled(
  db: Kysely<Database>,
  { ids, table }: Pick<Claim, 'table' | 'ids'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id in (${sql.join(ids)}) and cancel = 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Counts of the unfinished jobs of one table, over all projects and processes. */
export interface JobDepth {
  readonly table: JobTable
  readonly queued: number
  readonly running: number
  /** The time for which the oldest one that could start has waited; 0 without one. */
  readonly oldestDueMs: number
}

/** Counts waiting and running jobs, using the indexes of the claims. */
export async function jobDepth(store: Store): Promise<readonly JobDepth[]> {
  const now = store.nowOnce()
  const parts = JOB_TABLES.map(
    (table) => sql`select ${sql.lit(table)} as job, ${now} as now,
      (select count(*) from ${sql.table(table)} where state = 'queued') as queued,
      (select count(*) from ${sql.table(table)} where state = 'running') as running,
      (select min(due_at) from ${sql.table(table)} where state = 'queued') as oldest`,
  )
  const { rows } = await sql<{
    job: JobTable
    now: number
    queued: number
    running: number
    oldest: number | null
  }>`${sql.join(parts, sql` union all `)}`.execute(store.db)
  return rows.map(({ job, now: at, oldest, queued, running }) => ({
    table: job,
    queued,
    running,
    oldestDueMs: oldest === null ? 0 : Math.max(0, at - oldest),
  }))
}
