import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../store/schema.ts'

/** A branch of a repository that a project pushes to. */
export interface PushPlace {
  readonly project_id: string
  readonly remote: string
  readonly branch: string
}

/**
 * By path, the SHA-256 of every content that was given to the branch from here, as far as is known. For a push of all
 * units also of what other branches were given: a branch may begin from one that has taken them in.
 */
export async function readPushed(
  db: Kysely<Database>,
  { branch, project_id, remote }: PushPlace,
  { isPartial }: { readonly isPartial: boolean },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('pushed_files')
    .select(['branch', 'path', 'sha256'])
    .where((column) => column.and({ project_id, remote }))
    .$if(isPartial, (files) => files.where('branch', '=', branch))
    .execute()
  const groups = Map.groupBy(rows, ({ path }) => path)
  return new Map(
    [...groups].map(([path, group]) => {
      const own = group.filter((row) => row.branch === branch)
      return [path, (own.length > 0 ? own : group).map(({ sha256 }) => sha256)]
    }),
  )
}

/** Resolves to true if the branch has files from here. */
export async function wasPushed(db: Kysely<Database>, place: PushPlace): Promise<boolean> {
  const row = await db
    .selectFrom('pushed_files')
    .select('path')
    .where((column) => column.and({ ...place }))
    .executeTakeFirst()
  return row !== undefined
}

/** Rows of one statement. */
const CHUNK = 500

/** Records the contents about to be sent: without the record, a repeated push would take its own files for those of others. */
export async function addPushed(
  transaction: Transaction<Database>,
  place: PushPlace,
  pushed: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = [...pushed].map(([path, sha256]) => ({ ...place, path, sha256 }))
  for (let start = 0; start < rows.length; start += CHUNK) {
    await transaction
      .insertInto('pushed_files')
      .values(rows.slice(start, start + CHUNK))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Keeps, of the files that were pushed, the content that the branch has now. */
export async function keepPushed(
  transaction: Transaction<Database>,
  place: PushPlace,
  pushed: ReadonlyMap<string, string>,
): Promise<void> {
  const entries = [...pushed]
  for (let start = 0; start < entries.length; start += CHUNK) {
    const chunk = entries.slice(start, start + CHUNK)
    await dropPushed(
      transaction,
      place,
      chunk.map(([path]) => path),
    )
    const rows = chunk.map(([path, sha256]) => ({ ...place, path, sha256 }))
    await transaction
      .insertInto('pushed_files')
      .values(rows)
      // Another push of the same files may have ended just now; what it wrote, the deletion above did not see.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Forgets what the branch does not have any more. */
export async function dropPushed(
  transaction: Transaction<Database>,
  place: PushPlace,
  paths: readonly string[],
): Promise<void> {
  for (let start = 0; start < paths.length; start += CHUNK) {
    await transaction
      .deleteFrom('pushed_files')
      .where((column) => column.and({ ...place }))
      .where('path', 'in', paths.slice(start, start + CHUNK))
      .execute()
  }
}
