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
export const KEPT_MS = 60 * 60_000

/** More than the numbers of rows ever get to. */
const LAST = Number.MAX_SAFE_INTEGER

/** Returns the end of the log: what is behind it changes from now on. */
export async function readEnd({ db, engine }: Store): Promise<Position> {
  if (engine === 'postgres') {
    // Transactions under way come behind it, whatever they wrote before.
    const { rows } = await sql<{ oldest: number }>`
      select (pg_snapshot_xmin(pg_current_snapshot())::text)::bigint as oldest`.execute(db)
    return { position: (rows[0]?.oldest ?? 1) - 1, seq: LAST }
  }
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from changes`.execute(db)
  return { position: 0, seq: rows[0]?.seq ?? 0 }
}

interface ReadOptions {
  /** Changes behind this. */
  readonly after: Position
  /** The last change to read. Default: all. */
  readonly until?: Position
  /** Default: of all projects. */
  readonly projectId?: string
  readonly limit: number
}

/** Reads changes in their order: none that another one before it may still become visible. */
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

/** Returns true for a place that this log has reached: a log that was restored may be behind it. */
export function isReached(place: Position, end: Position): boolean {
  return place.position < end.position || (place.position === end.position && place.seq <= end.seq)
}

/** Deletes changes that nobody can ask for any more. */
export async function pruneChanges({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  await store.db
    .deleteFrom('changes')
    .where('created_at', '<', (await store.now()) - KEPT_MS)
    .execute()
}
