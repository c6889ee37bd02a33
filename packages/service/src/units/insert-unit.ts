import type { GenerationOptions, ModelKind } from '@stagecraft/spec'
import type { Transaction } from 'kysely'
import type { PublishSetup } from '../events/publish.ts'
import type { Database, UnitRow } from '../store/schema.ts'

export interface NewUnit {
  readonly projectId: string
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

/** Whoever comes first makes the unit of a type and source; all others get that one. */
export async function insertUnit(
  transaction: Transaction<Database>,
  { connectionId, name, options, projectId, source, type }: NewUnit,
  { ids, now }: PublishSetup,
): Promise<InsertedUnit> {
  const row = await transaction
    .insertInto('units')
    .values({
      id: ids.next('unit'),
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
  const existing = await transaction
    .selectFrom('units')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('type', '=', type)
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return { row: existing, isNew: false }
}
