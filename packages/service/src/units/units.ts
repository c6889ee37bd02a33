import { type GenerationOptions, type ModelType, StagecraftError } from '@stagecraft/spec'
import type { EventData } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Database, UnitRow } from '../store/schema.ts'

export function optionsOf({ options }: Pick<UnitRow, 'options'>): GenerationOptions {
  return JSON.parse(options) as GenerationOptions
}

/** Returns the fields that all events about a unit have. */
export function unitFields({
  id,
  name,
  type,
}: Pick<UnitRow, 'id' | 'name' | 'type'>): Pick<EventData['unit.created'], `unit_${'id' | 'name' | 'type'}`> {
  return { unit_id: id, unit_name: name, unit_type: type }
}

/** Returns the `data` of events about a unit. */
export function unitData(row: UnitRow): EventData['unit.created'] {
  return { ...unitFields(row), source: row.source, options: optionsOf(row) }
}

interface NewUnit {
  readonly name: string
  readonly type: ModelType
  readonly source: string
  readonly options: GenerationOptions
  readonly connectionId: string | undefined
}

interface InsertedUnit {
  readonly row: UnitRow
  /** False if the project already has a unit of this type and source; `row` is that one. */
  readonly isNew: boolean
}

/** Creates the unit of a type and source, or returns the one that another request has created. */
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
      source_changed_at: null,
      edited_at: null,
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

interface UnitSelection {
  readonly projectId: string
  /** Default: all units of the project. */
  readonly unitIds: readonly string[] | undefined
}

/**
 * Returns ids of units without duplicates, in the order in which they were created.
 *
 * @throws {StagecraftError} NOT_FOUND for the first missing one.
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
