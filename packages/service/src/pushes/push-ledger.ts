import { createHash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { PushFile } from '../git/push-options.ts'
import type { Database } from '../store/schema.ts'

/** A branch of a repository that a project pushes to. */
export interface PushPlace {
  readonly project_id: string
  readonly remote: string
  readonly branch: string
}

/** By path, the SHA-256 of every content that was given to the branch from here, as far as is known. */
export async function readPushed(
  db: Kysely<Database>,
  place: PushPlace,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('pushed_files')
    .select(['path', 'sha256'])
    .where((column) => column.and({ ...place }))
    .execute()
  const groups = Map.groupBy(rows, ({ path }) => path)
  return new Map([...groups].map(([path, group]) => [path, group.map(({ sha256 }) => sha256)]))
}

/** Rows of one statement. */
const CHUNK = 500

/** Remembers what the branch is about to be given: without it a push that is begun again took its own for others'. */
export async function addPushed(
  transaction: Transaction<Database>,
  place: PushPlace,
  files: readonly PushFile[],
): Promise<void> {
  const rows = files.map(({ content, path }) => ({
    ...place,
    path,
    sha256: createHash('sha256').update(content).digest('hex'),
  }))
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
    const paths = chunk.map(([path]) => path)
    await transaction
      .deleteFrom('pushed_files')
      .where((column) => column.and({ ...place }))
      .where('path', 'in', paths)
      .execute()
    const rows = chunk.map(([path, sha256]) => ({ ...place, path, sha256 }))
    await transaction
      .insertInto('pushed_files')
      .values(rows)
      // Another push of the same files may have ended just now; what it wrote, the deletion above did not see.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
