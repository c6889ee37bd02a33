import { StagecraftError } from '@stagecraft/spec'
import type { UnitFilter, UnitResource, UnitState } from '@stagecraft/spec/api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { toIso } from '../resources/job-members.ts'
import { allOf, hasText, isValue } from '../store/list-filters.ts'
import type { Database, UnitRow } from '../store/schema.ts'
import { optionsOf } from './units.ts'

/** Ids sort by time: a failure counts if it is newer than what was generated last. */
const STATE = sql<UnitState>`case
  when exists (select 1 from generations where unit_id = units.id and state in ('queued', 'running')) then 'generating'
  when exists (select 1 from generations where unit_id = units.id and state = 'failed'
    and id > coalesce(units.last_generation_id, '')) then 'failed'
  when units.last_generation_id is not null then 'generated'
  else 'new' end`

/** The units of a project, with the states that follow from their generations. */
export function selectUnits(db: Kysely<Database>, projectId: string) {
  return db.selectFrom('units').selectAll().select(STATE.as('state')).where('project_id', '=', projectId)
}

/** Returns the condition of a filter. */
export function unitCondition({
  connectionId,
  search,
  source,
  state,
  type,
}: UnitFilter): RawBuilder<boolean> {
  return allOf([
    isValue('type', type),
    isValue('source', source),
    isValue('connection_id', connectionId),
    search === undefined ? undefined : hasText(['name', 'source'], search),
    state === undefined ? undefined : sql<boolean>`${STATE} = ${state}`,
  ])
}

/** Reads a unit. @throws {StagecraftError} NOT_FOUND. */
export async function readUnit(db: Kysely<Database>, projectId: string, id: string): Promise<UnitResource> {
  const row = await selectUnits(db, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('unit', id)
  return toUnit(row)
}

/** A unit as the interface shows it. */
export function toUnit(row: UnitRow & { readonly state: UnitState }): UnitResource {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    source: row.source,
    options: optionsOf(row),
    ...(row.connection_id !== null && { connectionId: row.connection_id }),
    state: row.state,
    ...(row.last_generation_id !== null && { lastGenerationId: row.last_generation_id }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
