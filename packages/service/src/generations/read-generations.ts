import { StagecraftError, type Warning } from '@stagecraft/spec'
import type { AskedBy, Caller, GenerationRecord } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { jobMembers } from '../resources/job-members.ts'
import type { Database, GenerationRow } from '../store/schema.ts'

/** The public columns of a row. The input of a generation is long and read only if needed. */
export const PUBLIC_COLUMNS = [
  'id',
  'project_id',
  'kind',
  'unit_id',
  'batch_id',
  'state',
  'error',
  'created_at',
  'started_at',
  'finished_at',
  'tests',
  'asked_by',
  'warnings',
  'tokens_used',
  'duration_ms',
] as const satisfies readonly (keyof GenerationRow)[]

export type PublicGeneration = Pick<GenerationRow, (typeof PUBLIC_COLUMNS)[number]>

export interface GenerationKey {
  readonly projectId: string
  readonly generationId: string
}

/** @throws {StagecraftError} NOT_FOUND. */
export async function findGeneration(
  db: Kysely<Database>,
  { generationId, projectId }: GenerationKey,
): Promise<PublicGeneration & { readonly is_request: 0 | 1 }> {
  const row = await db
    .selectFrom('generations')
    .select([...PUBLIC_COLUMNS, 'is_request'])
    .where('id', '=', generationId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('generation', generationId)
  return row
}

/** Reads one generation with its public fields. */
export async function readGeneration(db: Kysely<Database>, row: PublicGeneration): Promise<GenerationRecord> {
  const [data] = await readGenerations(db, [row])
  if (!data) throw new TypeError('expected a generation, got none')
  return data
}

/** Reads rows with their public fields: the files of each and, for a batch, its progress. */
export async function readGenerations(
  db: Kysely<Database>,
  rows: readonly PublicGeneration[],
): Promise<readonly GenerationRecord[]> {
  const idsOf = (kind: PublicGeneration['kind']): readonly string[] =>
    rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const files = await readFiles(db, idsOf('unit'))
  const units = await countMembers(db, idsOf('project'))
  const names = await readNames(db, rows)
  const askers = await readAskers(db, rows)
  return rows.map((row) => {
    const askedBy = askers.get(row.batch_id ?? row.id)
    return row.kind === 'unit'
      ? toGeneration(row, {
          files: files.get(row.id) ?? [],
          units: undefined,
          unitName: names.get(row.unit_id ?? ''),
          askedBy,
        })
      : toGeneration(row, {
          files: undefined,
          units: units.get(row.id) ?? NO_UNITS,
          unitName: undefined,
          askedBy,
        })
  })
}

/** The part of a call that identifies who asked for a generation. */
interface TracedCall {
  readonly caller: Caller
  readonly requestId: string
}

/** Returns the column that records the call that asked for a generation. */
export function askedColumn(
  operation: string,
  { caller: { keyId, sessionId }, requestId }: TracedCall,
): Pick<GenerationRow, 'asked_by'> {
  const via = sessionId === undefined ? 'key' : 'session'
  return { asked_by: JSON.stringify({ requestId, operation, via, keyId } satisfies AskedBy) }
}

/**
 * Returns the requests that asked for generations, by the ids of the generations or of their batches, with the current
 * names of keys.
 */
async function readAskers(
  db: Kysely<Database>,
  rows: readonly PublicGeneration[],
): Promise<ReadonlyMap<string, AskedBy>> {
  const known = new Map(rows.map(({ id, asked_by }) => [id, asked_by]))
  const missing = [...new Set(rows.flatMap(({ batch_id }) => batch_id ?? []))].filter((id) => !known.has(id))
  const batches =
    missing.length === 0
      ? []
      : await db.selectFrom('generations').select(['id', 'asked_by']).where('id', 'in', missing).execute()
  const found = [...known, ...batches.map(({ id, asked_by }) => [id, asked_by] as const)].flatMap(
    ([id, asked_by]) => (asked_by === null ? [] : [[id, JSON.parse(asked_by) as AskedBy] as const]),
  )
  const keyIds = [...new Set(found.map(([, { keyId }]) => keyId))]
  if (keyIds.length === 0) return new Map()
  const keys = await db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', keyIds).execute()
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return new Map(
    found.map(([id, askedBy]) => {
      const keyName = names.get(askedBy.keyId)
      return [id, { ...askedBy, ...(keyName !== undefined && { keyName }) }]
    }),
  )
}

/** Returns the current names of units by their ids. */
async function readNames(
  db: Kysely<Database>,
  rows: readonly PublicGeneration[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ unit_id }) => unit_id ?? []))]
  if (ids.length === 0) return new Map()
  const units = await db.selectFrom('units').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(units.map(({ id, name }) => [id, name]))
}

type Files = NonNullable<GenerationRecord['files']>

async function readFiles(db: Kysely<Database>, ids: readonly string[]): Promise<ReadonlyMap<string, Files>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('generated_files')
    .select(['generation_id', 'path', 'lines'])
    .where('generation_id', 'in', ids)
    .orderBy('path')
    .execute()
  const groups = Map.groupBy(rows, ({ generation_id }) => generation_id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ lines, path }) => ({ path, lines }))]))
}

type Units = NonNullable<GenerationRecord['units']>

const NO_UNITS: Units = { total: 0, completed: 0, failed: 0, cancelled: 0 }

/** Counts the units of each batch by state. */
export async function countMembers(
  db: Kysely<Database>,
  batchIds: readonly string[],
): Promise<ReadonlyMap<string, Units>> {
  const counts = new Map<string, Units>()
  if (batchIds.length === 0) return counts
  const rows = await db
    .selectFrom('generations')
    .select(['batch_id', 'state', (column) => column.fn.countAll<number | string>().as('count')])
    .where('batch_id', 'in', batchIds)
    .groupBy(['batch_id', 'state'])
    .execute()
  for (const { batch_id, count, state } of rows) {
    if (batch_id === null) continue
    const before = counts.get(batch_id) ?? NO_UNITS
    const isOpen = state === 'queued' || state === 'running'
    const more = Number(count)
    const ended = isOpen ? {} : { [state]: before[state] + more }
    counts.set(batch_id, { ...before, total: before.total + more, ...ended })
  }
  return counts
}

/** The parts of a generation that other tables store. */
interface GenerationParts {
  readonly files: Files | undefined
  readonly units: GenerationRecord['units']
  readonly unitName: string | undefined
  readonly askedBy: GenerationRecord['askedBy']
}

function toGeneration(
  row: PublicGeneration,
  { askedBy, files, unitName, units }: GenerationParts,
): GenerationRecord {
  const isCompleted = row.state === 'completed'
  return {
    id: row.id,
    kind: row.kind,
    ...(row.unit_id !== null && { unitId: row.unit_id }),
    ...(unitName !== undefined && { unitName }),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...(askedBy && { askedBy }),
    ...jobMembers(row),
    ...(isCompleted && files && { files }),
    ...(row.tests !== null && { tests: JSON.parse(row.tests) as string[] }),
    ...(row.warnings !== null && { warnings: JSON.parse(row.warnings) as Warning[] }),
    tokensUsed: row.tokens_used,
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(units && { units }),
  }
}
