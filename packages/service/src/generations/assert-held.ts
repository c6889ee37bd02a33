import type { Change } from '../change.ts'
import { LeaseLost } from '../jobs/stop-reasons.ts'
import type { GenerationRow } from '../store/schema.ts'

/**
 * Lets a transaction go on only while the row's claim holds; until it ends nobody else can claim the row.
 *
 * @throws {LeaseLost}
 */
export async function assertHeld(
  { db }: Change,
  { id, lease_owner }: Pick<GenerationRow, 'id' | 'lease_owner'>,
): Promise<void> {
  const kept = await db
    .updateTable('generations')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('lease_owner', '=', lease_owner)
    .returning('id')
    .executeTakeFirst()
  if (!kept) throw new LeaseLost()
}
