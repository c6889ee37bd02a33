import { type EditedItem, parseItem } from '@stagecraft/core/run'
import type { GenerationRequest } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import { queuedJob } from '../jobs/lease.ts'
import type { Database, GenerationRow, UnitRow } from '../store/schema.ts'
import { optionsOf } from '../units/units.ts'
import type { GenerationSubject } from './generation-attempt.ts'

/** A generation of a batch that has not ended, with its unit. */
export interface BatchMember extends GenerationSubject {
  readonly request: GenerationRequest
  readonly connectionId: string | null
  /** The response of a backend from before the process died, and its cost. */
  readonly before:
    | { readonly item: EditedItem; readonly tokensUsed: number; readonly durationMs: number }
    | undefined
}

/** Selects the unfinished members of a batch in the order in which they were created. */
export async function readOpenMembers(
  db: Kysely<Database>,
  batchId: string,
): Promise<readonly BatchMember[]> {
  const rows = await membersOf(db, batchId)
    .select(['generations.id as generationId', 'item', 'tokens_used', 'duration_ms'])
    .select([
      'units.id',
      'units.project_id',
      'units.name',
      'units.type',
      'source',
      'options',
      'connection_id',
    ])
    .where('state', 'in', ['queued', 'running'])
    .orderBy('generations.id')
    .execute()
  return rows.map(toMember)
}

/** Returns the inputs of the batch's completed members, so that others can refer to them. */
export async function readDoneItems(
  db: Kysely<Database>,
  batchId: string,
  connectionId: string | null,
): Promise<readonly EditedItem[]> {
  const rows = await membersOf(db, batchId)
    .select('item')
    .where('state', '=', 'completed')
    .where('connection_id', connectionId === null ? 'is' : '=', connectionId)
    .execute()
  return rows.flatMap(({ item }) => (item === null ? [] : [parseItem(item)]))
}

function membersOf(db: Kysely<Database>, batchId: string) {
  return db
    .selectFrom('generations')
    .innerJoin('units', 'units.id', 'generations.unit_id')
    .where('batch_id', '=', batchId)
}

type Joined = Pick<GenerationRow, 'item' | 'tokens_used' | 'duration_ms'> &
  Pick<UnitRow, 'id' | 'project_id' | 'name' | 'type' | 'source' | 'options' | 'connection_id'> & {
    readonly generationId: string
  }

function toMember({ duration_ms, generationId, item, tokens_used, ...unit }: Joined): BatchMember {
  return {
    generationId,
    unit,
    request: { type: unit.type, source: unit.source, options: optionsOf(unit) },
    connectionId: unit.connection_id,
    before:
      item === null
        ? undefined
        : { item: parseItem(item), tokensUsed: tokens_used, durationMs: duration_ms ?? 0 },
  }
}

type Given = Pick<GenerationRow, 'id' | 'project_id' | 'kind' | 'columns'> & Partial<GenerationRow>

/** Returns the row of a generation that has not begun. */
export function newGeneration(given: Given, now: number): GenerationRow {
  return {
    ...queuedJob(now),
    unit_id: null,
    batch_id: null,
    unit_ids: null,
    is_request: 0,
    start_published: 0,
    dialect: null,
    item: null,
    tests: null,
    column_count: null,
    asked_by: null,
    warnings: null,
    tokens_used: 0,
    duration_ms: null,
    ...given,
  }
}

/** The due time of a batch's members: never, because the batch runs them and no worker may claim them. */
export const NEVER = Number.MAX_SAFE_INTEGER
