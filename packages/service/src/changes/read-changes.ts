import { type Kysely, sql } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { ChangeRow } from '../store/own-rows.ts'
import type { Database } from '../store/schema.ts'
import type { Store } from '../store/store.ts'

/** A place in the log of changes. */
export interface Position {
  readonly position: number
  readonly seq: number
}

/** The time for which changes are kept, in milliseconds. */
const KEPT_MS = 60 * 60_000

/** Above any row number. */
const LAST = Number.MAX_SAFE_INTEGER

/** Returns the end of the log: the position after the last change. */
export async function readEnd({ db, engine }: Store): Promise<Position> {
  if (engine === 'postgres') {
    // Transactions still open get later positions, whatever they wrote before.
    const { rows } = await sql<{ oldest: number }>`
      select (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint as oldest`.execute(db)
    return { position: (rows[0]?.oldest ?? 1) - 1, seq: LAST }
  }
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from changes`.execute(db)
  return { position: 0, seq: rows[0]?.seq ?? 0 }
}

interface ReadOptions {
  /** Reads changes after this position. */
  readonly after: Position
  /** The last change to read. Default: all. */
  readonly until?: Position
  /** Default: of all projects. */
  readonly projectId?: string
  readonly limit: number
}

/** Reads changes in order. Stops before any position at which an earlier change may still become visible. */
export async function readChanges(
  { db, engine }: Store,
  { after, limit, projectId, until }: ReadOptions,
): Promise<readonly ChangeRow[]> {
  return await changes(db, engine)
    .selectAll()
    .where(sql<boolean>`(position, seq) > (${after.position}, ${after.seq})`)
    .$if(until !== undefined, (query) =>
      query.where(sql<boolean>`(position, seq) <= (${until?.position}, ${until?.seq})`),
    )
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId ?? ''))
    .orderBy('position')
    .orderBy('seq')
    .limit(limit)
    .execute()
}

function changes(db: Kysely<Database>, engine: Store['engine']) {
  const isComplete = sql<boolean>`position < (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint`
  return db.selectFrom('changes').$if(engine === 'postgres', (query) => query.where(isComplete))
}

/** Returns true if this log has reached a position. A restored log may not have. */
export function isReached(place: Position, end: Position): boolean {
  return place.position < end.position || (place.position === end.position && place.seq <= end.seq)
}

/** A position as clients receive it, with the time at which they received it. */
interface Mark extends Position {
  readonly at: number
}

/** Prints a mark for `Last-Event-ID`. */
export function printMark({ at, position, seq }: Mark): string {
  return [at, position, seq].map((number) => number.toString(36)).join('-')
}

/** Returns the position of a mark; undefined for an invalid or expired one. */
export function readMark(text: string, now: number): Position | undefined {
  const parts = /^[0-9a-z]{1,11}(-[0-9a-z]{1,11}){2}$/.test(text) ? text.split('-') : []
  const [at, position, seq] = parts.map((part) => Number.parseInt(part, 36))
  if (at === undefined || position === undefined || seq === undefined) return undefined
  return at > now - KEPT_MS && Number.isSafeInteger(position) && Number.isSafeInteger(seq)
    ? { position, seq }
    : undefined
}

/** Deletes changes that are older than any valid mark. */
export async function pruneChanges({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  await store.db
    .deleteFrom('changes')
    .where('created_at', '<', (await store.now()) - KEPT_MS)
    .execute()
}
