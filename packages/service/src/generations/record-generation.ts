import { type EditedItem, printItem } from '@stagecraft/core/run'
import type { DialectName, Generation } from '@stagecraft/spec'
import type { Change } from '../change.ts'
import type { JobResult } from '../jobs/job-kind.ts'
import { type GenerationSubject, publishCompleted } from './generation-events.ts'

/** The result of generating a unit. */
export interface MadeGeneration {
  readonly data: Generation
  /** The input that it was made from. */
  readonly item: EditedItem
  readonly dialect: DialectName
  readonly tokensUsed: number
  readonly durationMs: number
}

interface RecordedSubject extends GenerationSubject {
  /** True if it counts as the newest of its unit. @default true */
  readonly isOfUnit?: boolean
}

/**
 * Writes what belongs to a generation that completes, in the transaction in which it does.
 *
 * @returns The columns of its own row.
 */
export async function recordGeneration(
  tx: Change,
  { generationId, isOfUnit = true, unit }: RecordedSubject,
  { data, dialect, durationMs, item, tokensUsed }: MadeGeneration,
): Promise<JobResult<'generations'>> {
  const files = data.files.map(({ content, path }) => ({ path, content, lines: countLines(content) }))
  await tx.db
    .insertInto('generation_files')
    .values(files.map((file) => ({ generation_id: generationId, ...file })))
    .execute()
  if (isOfUnit) {
    await tx.db
      .updateTable('units')
      .set({ last_generation_id: generationId })
      .where('id', '=', unit.id)
      .execute()
  }
  await publishCompleted(tx, { unit, files, durationMs })
  return {
    item: printItem(item),
    dialect,
    tests: JSON.stringify(data.tests),
    warnings: JSON.stringify(data.warnings),
    tokens_used: tokensUsed,
    duration_ms: durationMs,
  }
}

function countLines(content: string): number {
  if (content === '') return 0
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}
