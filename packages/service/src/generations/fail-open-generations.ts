import type { Change } from '../change.ts'
import type { JobError, UnitRow } from '../store/schema.ts'
import { publishEnds } from './end-generations.ts'

const DELETED: JobError = { code: 'GENERATION_FAILED', message: 'its unit was deleted' }

/** What began must end for those who listen, also when its unit goes away before it. */
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
