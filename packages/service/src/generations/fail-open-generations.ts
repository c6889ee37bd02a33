import type { Transaction } from 'kysely'
import type { PublishSetup } from '../events/publish.ts'
import type { Database, JobError, UnitRow } from '../store/schema.ts'
import { publishEnds } from './end-generations.ts'

const DELETED: JobError = { code: 'GENERATION_FAILED', message: 'its unit was deleted' }

/** What began must end for those who listen, also when its unit goes away before it. */
export async function failOpenGenerations(
  transaction: Transaction<Database>,
  { id }: Pick<UnitRow, 'id'>,
  setup: PublishSetup,
): Promise<void> {
  const rows = await transaction
    .selectFrom('generations')
    .select('id')
    .where('unit_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .where('announced', '=', 1)
    .execute()
  const ids = rows.map((row) => row.id)
  await publishEnds(transaction, ids, { error: DELETED, ...setup })
}
