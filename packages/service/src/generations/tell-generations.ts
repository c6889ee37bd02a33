import type { GenerationRecord } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import type { Database } from '../store/schema.ts'
import { toGeneration, type ToldGeneration } from './to-generation.ts'

/** Rows as the interface tells them: with the files of each and, for one of many, how far it is. */
export async function tellGenerations(
  db: Kysely<Database>,
  rows: readonly ToldGeneration[],
): Promise<readonly GenerationRecord[]> {
  const idsOf = (kind: ToldGeneration['kind']): readonly string[] =>
    rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const files = await readFiles(db, idsOf('unit'))
  const units = await countMembers(db, idsOf('project'))
  return rows.map((row) =>
    row.kind === 'unit'
      ? toGeneration(row, { files: files.get(row.id) ?? [], units: undefined })
      : toGeneration(row, { files: undefined, units: units.get(row.id) ?? NOTHING }),
  )
}

type Files = NonNullable<GenerationRecord['files']>

async function readFiles(db: Kysely<Database>, ids: readonly string[]): Promise<ReadonlyMap<string, Files>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('generation_files')
    .select(['generation_id', 'path', 'lines'])
    .where('generation_id', 'in', ids)
    .orderBy('path')
    .execute()
  const groups = Map.groupBy(rows, ({ generation_id }) => generation_id)
  return new Map([...groups].map(([id, group]) => [id, group.map(({ lines, path }) => ({ path, lines }))]))
}

type Units = NonNullable<GenerationRecord['units']>

const NOTHING: Units = { total: 0, completed: 0, failed: 0, cancelled: 0 }

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
    const before = counts.get(batch_id) ?? NOTHING
    const isOpen = state === 'queued' || state === 'running'
    const more = Number(count)
    const ended = isOpen ? {} : { [state]: before[state] + more }
    counts.set(batch_id, { ...before, total: before.total + more, ...ended })
  }
  return counts
}
