import type { Transaction } from 'kysely'
import type { PublishSetup } from '../events/publish.ts'
import type { Database } from '../store/schema.ts'
import { type GenerationSubject, publishStarted } from './generation-events.ts'

/** Writes `generation.started` for each that goes on and has not told so before. */
export async function announceGenerations(
  transaction: Transaction<Database>,
  subjects: readonly GenerationSubject[],
  setup: PublishSetup,
): Promise<void> {
  const rows = await transaction
    .updateTable('generations')
    .set((column) => ({
      state: 'running',
      announced: 1,
      started_at: column.fn.coalesce('started_at', column.val(setup.now)),
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
    if (fresh.has(subject.generationId)) await publishStarted(transaction, subject, setup)
  }
}
