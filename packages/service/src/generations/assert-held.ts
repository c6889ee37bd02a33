import type { Transaction } from 'kysely'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import type { Database, GenerationRow } from '../store/schema.ts'

/**
 * Lets a transaction go on only while the row's claim holds; until it ends nobody else can claim the row.
 *
 * @throws {LeaseLost}
 */
export async function assertHeld(
  transaction: Transaction<Database>,
  { id, lease_owner }: Pick<GenerationRow, 'id' | 'lease_owner'>,
): Promise<void> {
  const kept = await transaction
    .updateTable('generations')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw new LeaseLost()
}
