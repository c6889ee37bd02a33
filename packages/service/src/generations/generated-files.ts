import { createHash } from 'node:crypto'
import { compareText } from '@stagecraft/spec'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/schema.ts'

interface NewFile {
  readonly path: string
  readonly content: string
  readonly lines: number
}

interface Place {
  readonly projectId: string
  readonly generationId: string
  /** By the clock of the database. */
  readonly now: number
}

const HOUR = 3_600_000
/** The time for which a text is kept after its last use. Each use marks it again. */
const KEPT_MS = HOUR
const MARKED_MS = HOUR / 4

/** Stores the files of a generation. Texts that the project already has are not stored again. */
export async function storeFiles(
  db: Kysely<Database>,
  files: readonly NewFile[],
  { generationId, now, projectId }: Place,
): Promise<void> {
  const hashed = files.map((file) => ({ ...file, hash: hashOf(file.content) }))
  const texts = new Map(hashed.map(({ content, hash }) => [hash, content]))
  // A fixed order prevents deadlocks. The row is locked even if it does not change.
  const rows = [...texts]
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([hash, content]) => ({ project_id: projectId, hash, content, used_at: now }))
  await db
    .insertInto('file_texts')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'hash'])
        .doUpdateSet({ used_at: now })
        .where('file_texts.used_at', '<', now - MARKED_MS),
    )
    .execute()
  await db
    .insertInto('generated_files')
    .values(
      hashed.map(({ hash, lines, path }) => ({
        generation_id: generationId,
        path,
        project_id: projectId,
        hash,
        lines,
      })),
    )
    .execute()
}

function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Selects generated files with their texts. */
export function filesWithTexts(db: Kysely<Database>) {
  return db
    .selectFrom('generated_files')
    .innerJoin('file_texts', (join) =>
      join
        .onRef('file_texts.project_id', '=', 'generated_files.project_id')
        .onRef('file_texts.hash', '=', 'generated_files.hash'),
    )
}

/** Deletes texts that no generation uses. */
export async function pruneTexts(db: Kysely<Database>, now: number): Promise<void> {
  await db
    .deleteFrom('file_texts')
    .where('used_at', '<', now - KEPT_MS)
    .where(
      sql<boolean>`not exists (
        select 1 from generated_files
        where generated_files.project_id = file_texts.project_id and generated_files.hash = file_texts.hash
      )`,
    )
    .execute()
}
