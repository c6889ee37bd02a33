import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'

export interface UnitSelection {
  readonly projectId: string
  /** Default: all of the project. */
  readonly unitIds: readonly string[] | undefined
}

/**
 * Ids of units, each once, in the order in which they were made.
 *
 * @throws {StagecraftError} NOT_FOUND for the first that is not there.
 */
export async function findUnitIds(
  db: Kysely<Database>,
  { projectId, unitIds }: UnitSelection,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('units')
    .select('id')
    .where('project_id', '=', projectId)
    .$if(unitIds !== undefined, (units) => units.where('id', 'in', unitIds ?? []))
    .orderBy('id')
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = unitIds?.findIndex((id) => !found.has(id)) ?? -1
  if (missing >= 0) throw StagecraftError.unknownId('unit', unitIds?.[missing] ?? '', `unitIds.${missing}`)
  return [...found]
}
