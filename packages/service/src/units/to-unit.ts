import type { GenerationOptions } from '@stagecraft/spec'
import type { EventData, UnitResource } from '@stagecraft/spec/api'
import { toIso } from '../resources/job-members.ts'
import type { UnitRow } from '../store/schema.ts'

export function toUnit(row: UnitRow): UnitResource {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    source: row.source,
    options: optionsOf(row),
    ...(row.connection_id !== null && { connectionId: row.connection_id }),
    ...(row.last_generation_id !== null && { lastGenerationId: row.last_generation_id }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}

export function optionsOf({ options }: Pick<UnitRow, 'options'>): GenerationOptions {
  return JSON.parse(options) as GenerationOptions
}

/** Returns the fields of a unit that every event about it has. */
export function unitFields({
  id,
  name,
  type,
}: Pick<UnitRow, 'id' | 'name' | 'type'>): Pick<EventData['unit.created'], `unit_${'id' | 'name' | 'type'}`> {
  return { unit_id: id, unit_name: name, unit_type: type }
}

/** `data` of the events of a unit itself. */
export function unitData(row: UnitRow): EventData['unit.created'] {
  return { ...unitFields(row), source: row.source, options: optionsOf(row) }
}
