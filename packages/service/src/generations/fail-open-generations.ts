import type { Change } from '../change.ts'
import type { JobError, UnitRow } from '../store/schema.ts'
import { publishEnds } from './end-generations.ts'

const DELETED: JobError = { code: 'GENERATION_FAILED', message: 'its unit was deleted' }

/** Fails the running generations of a unit that is deleted, so that every start has its end event. */
export async function failOpenGenerations(tx: Change, { id }: Pick<UnitRow, 'id'>): Promise<void> {
  // An update waits for those that are just being ended, which then are open no more.
  const rows = await tx.db
    .updateTable('generations')
    .set({ cancel: 1 })
    .where('unit_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning(['id', 'announced'])
    .execute()
  const ids = rows.filter(({ announced }) => announced === 1).map((row) => row.id)
  await publishEnds(tx, ids, DELETED)
}
