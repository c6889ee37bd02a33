import type { Kysely } from 'kysely'
import { notFound } from '../resources/errors.ts'
import type { Database, UnitRow } from '../store/schema.ts'

export interface UnitKey {
  readonly projectId: string
  readonly unitId: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function findUnit(db: Kysely<Database>, { projectId, unitId }: UnitKey): Promise<UnitRow> {
  const row = await db
    .selectFrom('units')
    .selectAll()
    .where('id', '=', unitId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw notFound('unit', unitId)
  return row
}
