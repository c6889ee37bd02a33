import { StagecraftError, type Warning } from '@stagecraft/spec'
import type { GenerationRecord } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { jobMembers } from '../resources/job-members.ts'
import type { Database, GenerationRow } from '../store/schema.ts'

/** The public columns of a row. The input of the generation is long, and read only where it is needed. */
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

/** Reads one generation as the interface shows it. */
export async function readGeneration(db: Kysely<Database>, row: PublicGeneration): Promise<GenerationRecord> {
  const [data] = await readGenerations(db, [row])
  if (!data) throw new TypeError('expected a generation, got none')
  return data
}

/** Reads rows as the interface shows them: with the files of each and, for a batch, how far it is. */
export async function readGenerations(
  db: Kysely<Database>,
  rows: readonly PublicGeneration[],
): Promise<readonly GenerationRecord[]> {
  const idsOf = (kind: PublicGeneration['kind']): readonly string[] =>
    rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const files = await readFiles(db, idsOf('unit'))
  const units = await countMembers(db, idsOf('project'))
  const names = await readNames(db, rows)
  return rows.map((row) =>
    row.kind === 'unit'
      ? toGeneration(row, {
          files: files.get(row.id) ?? [],
          units: undefined,
          unitName: names.get(row.unit_id ?? ''),
        })
      : toGeneration(row, {
          files: undefined,
          units: units.get(row.id) ?? NO_UNITS,
          unitName: undefined,
        }),
  )
}

/** The names of units as they are now, by their ids. */
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

/** The parts of a generation that are stored in other rows. */
interface GenerationParts {
  readonly files: Files | undefined
  readonly units: GenerationRecord['units']
  readonly unitName: string | undefined
}

function toGeneration(row: PublicGeneration, { files, unitName, units }: GenerationParts): GenerationRecord {
  const isCompleted = row.state === 'completed'
  return {
    id: row.id,
    kind: row.kind,
    ...(row.unit_id !== null && { unitId: row.unit_id }),
    ...(unitName !== undefined && { unitName }),
    ...(row.batch_id !== null && { batchId: row.batch_id }),
    ...jobMembers(row),
    ...(isCompleted && files && { files }),
    ...(row.tests !== null && { tests: JSON.parse(row.tests) as string[] }),
    ...(row.warnings !== null && { warnings: JSON.parse(row.warnings) as Warning[] }),
    tokensUsed: row.tokens_used,
    ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
    ...(units && { units }),
  }
}
