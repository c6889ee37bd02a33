import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { notFound } from '../resources/errors.ts'
import type { Database, UnitRow } from '../store/schema.ts'
import type { UnitKey } from './find-unit.ts'

/**
 * Reads a unit and holds it until the transaction ends, so that no generation of it begins meanwhile. SQLite has one writer,
 * and nothing to lock.
 *
 * @throws {StagecraftError} NOT_FOUND.
 */
export async function holdUnit(
  transaction: Transaction<Database>,
  { projectId, store, unitId }: UnitKey & Pick<ServiceContext, 'store'>,
): Promise<UnitRow> {
  const row = await transaction
    .selectFrom('units')
    .selectAll()
    .where('id', '=', unitId)
    .where('project_id', '=', projectId)
    .$if(store.engine === 'postgres', (select) => select.forUpdate())
    .executeTakeFirst()
  if (!row) throw notFound('unit', unitId)
  return row
}
