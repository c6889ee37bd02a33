import { StagecraftError } from '@stagecraft/spec'
import type { UnitChange, UnitFilter, UnitResource, UnitState } from '@stagecraft/spec/api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { timeMember, toIso } from '../resources/job-members.ts'
import { allOf, hasText, isValue } from '../store/list-filters.ts'
import type { Database, GenerationRow, UnitRow } from '../store/schema.ts'
import { optionsOf } from './units.ts'

/** Ids sort by time: a failure counts if it is newer than the newest completed generation. */
const STATE = sql<UnitState>`case
  when exists (select 1 from generations where unit_id = units.id and state in ('queued', 'running')) then 'generating'
  when exists (select 1 from generations where unit_id = units.id and state = 'failed'
    and id > coalesce(units.last_generation_id, '')) then 'failed'
  when units.last_generation_id is not null then 'generated'
  else 'new' end`

/** The changes since the newest generation. A change that a scan found counts until a newer generation has started. */
const CHANGES: Readonly<Record<UnitChange, RawBuilder<0 | 1>>> = {
  source: isTrue(sql`units.source_changed_at > coalesce((
    select coalesce(started_at, created_at) from generations where id = units.last_generation_id), 0)`),
  files: isTrue(sql`units.edited_at is not null`),
}

function isTrue(condition: RawBuilder<unknown>): RawBuilder<0 | 1> {
  return sql<0 | 1>`case when ${condition} then 1 else 0 end`
}

/** Selects the units of a project with the states that follow from their generations. */
export function selectUnits(db: Kysely<Database>, projectId: string) {
  return db
    .selectFrom('units')
    .selectAll()
    .select([
      STATE.as('state'),
      ofLast('finished_at').as('generated_at'),
      ofLast('tests').as('tests'),
      ofLast('column_count').as('column_count'),
      CHANGES.source.as('is_source_changed'),
      CHANGES.files.as('is_edited'),
    ])
    .where('project_id', '=', projectId)
}

/** Returns a column of the newest completed generation of a unit. */
function ofLast<Name extends 'finished_at' | 'tests' | 'column_count'>(
  name: Name,
): RawBuilder<GenerationRow[Name]> {
  return sql`(select ${sql.ref(name)} from generations where id = units.last_generation_id)`
}

/** Returns the condition of a filter. */
export function unitCondition({
  changed,
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
    changed === undefined ? undefined : sql<boolean>`${CHANGES[changed]} = 1`,
  ])
}

/** Reads a unit. @throws {StagecraftError} NOT_FOUND. */
export async function readUnit(db: Kysely<Database>, projectId: string, id: string): Promise<UnitResource> {
  const row = await selectUnits(db, projectId).where('id', '=', id).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('unit', id)
  return toUnit(row)
}

interface UnitExtras {
  readonly state: UnitState
  readonly generated_at?: number | null
  /** JSON list. */
  readonly tests?: string | null
  readonly column_count?: number | null
  readonly is_source_changed?: 0 | 1
  readonly is_edited?: 0 | 1
}

/** Returns the public fields of a unit. */
export function toUnit(row: UnitRow & UnitExtras): UnitResource {
  const { column_count: columns = null, is_edited, is_source_changed } = row
  const changed: UnitChange[] = [
    ...(is_source_changed ? ['source' as const] : []),
    ...(is_edited ? ['files' as const] : []),
  ]
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    source: row.source,
    options: optionsOf(row),
    ...(row.connection_id !== null && { connectionId: row.connection_id }),
    state: row.state,
    ...(row.last_generation_id !== null && { lastGenerationId: row.last_generation_id }),
    ...timeMember('generatedAt', row.generated_at ?? null),
    ...(row.tests && { tests: JSON.parse(row.tests) as string[] }),
    ...(columns !== null && { columns }),
    ...(changed.length > 0 && { changed }),
    version: row.version,
    createdAt: toIso(row.created_at),
    updatedAt: toIso(row.updated_at),
  }
}
