import type { Change } from '../change.ts'
import { type GenerationSubject, publishStarted } from './generation-events.ts'

/** Writes `generation.started` for each that goes on and has not told so before. */
export async function announceGenerations(tx: Change, subjects: readonly GenerationSubject[]): Promise<void> {
  const now = await tx.now()
  const rows = await tx.db
    .updateTable('generations')
    .set((column) => ({
      state: 'running',
      announced: 1,
      started_at: column.fn.coalesce('started_at', column.val(now)),
    }))
    .where(
      'id',
      'in',
      subjects.map(({ generationId }) => generationId),
    )
    .where('state', 'in', ['queued', 'running'])
    .where('announced', '=', 0)
    .returning('id')
    .execute()
  const fresh = new Set(rows.map(({ id }) => id))
  for (const subject of subjects) {
    if (fresh.has(subject.generationId)) await publishStarted(tx, subject)
  }
}
