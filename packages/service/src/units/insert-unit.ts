import type { GenerationOptions, ModelKind } from '@stagecraft/spec'
import type { Change } from '../change.ts'
import type { UnitRow } from '../store/schema.ts'

export interface NewUnit {
  readonly name: string
  readonly type: ModelKind
  readonly source: string
  readonly options: GenerationOptions
  readonly connectionId: string | undefined
}

export interface InsertedUnit {
  readonly row: UnitRow
  /** False when the project has a unit of this type and source already; `row` is that one. */
  readonly isNew: boolean
}

/** Makes the unit of a type and source. Whoever comes first makes it; all others get that one. */
export async function insertUnit(
  tx: Change,
  { connectionId, name, options, source, type }: NewUnit,
): Promise<InsertedUnit> {
  const { projectId } = tx
  const now = await tx.now()
  const row = await tx.db
    .insertInto('units')
    .values({
      id: tx.ids.next('unit'),
      project_id: projectId,
      version: 1,
      created_at: now,
      updated_at: now,
      name,
      type,
      source,
      options: JSON.stringify(options),
      connection_id: connectionId ?? null,
      last_generation_id: null,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'type', 'source']).doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row) return { row, isNew: true }
  const existing = await tx.db
    .selectFrom('units')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return { row: existing, isNew: false }
}
