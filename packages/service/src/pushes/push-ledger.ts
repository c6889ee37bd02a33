import type { Kysely, Transaction } from 'kysely'
import type { Change } from '../change.ts'
import type { PlannedUnits } from '../git/push-options.ts'
import { chunksOf } from '../store/rows.ts'
import type { Database } from '../store/schema.ts'

/** A branch of a repository that a project pushes to. */
export interface PushPlace {
  readonly project_id: string
  readonly remote: string
  readonly branch: string
}

/**
 * By path, the SHA-256 of every known content that was sent to the branch from here. For a push of all units, also of
 * content sent to other branches, because a branch may start from one that merged them.
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

/** The number of rows in one statement. */
const CHUNK = 500

/** Records the contents to send. Without the record, a repeated push would treat its own files as those of others. */
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

/** Reduces the record of the pushed files to their current content. */
export async function trimPushed(
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
      // A push of the same files may have just ended, with rows that the deletion above did not see.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Marks the units whose model was edited by people, and unmarks those with the generated model. */
export async function markEditedUnits(
  tx: Change,
  { asGenerated, edited }: PlannedUnits,
  { isReplaced }: { /** True if the push replaced the edits. */ readonly isReplaced: boolean },
): Promise<void> {
  const mark = async (ids: readonly string[], edited_at: number | null): Promise<void> => {
    for (const chunk of chunksOf(ids))
      await tx.db
        .updateTable('units')
        .set({ edited_at })
        .where('id', 'in', chunk)
        .$if(edited_at === null, (units) => units.where('edited_at', 'is not', null))
        .execute()
  }
  await mark(edited, isReplaced ? null : await tx.now())
  await mark(asGenerated, null)
}

/** Forgets files that are no longer in the branch. */
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
