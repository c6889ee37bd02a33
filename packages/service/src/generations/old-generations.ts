import { patchOf } from '@stagecraft/dbt'
import { compareText, StagecraftError } from '@stagecraft/spec'
import type { ApiData } from '@stagecraft/spec/api'
import { type Kysely, sql } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { timeMember } from '../resources/job-members.ts'
import type { Database } from '../store/schema.ts'
import { filesWithTexts, pruneTexts } from './generated-files.ts'
import { findGeneration, type PublicGeneration } from './read-generations.ts'

/** The files of a generation by their paths. */
type Files = ReadonlyMap<string, string>

/** Compares two generations. Both belong to one unit, unless both are named. */
export async function diffGenerations(
  { store: { db } }: ServiceContext,
  { caller: { projectId }, params: { generationId }, query }: CallOf<'diffGenerations'>,
): ReplyOf<'diffGenerations'> {
  const to = await findGeneration(db, { projectId, generationId })
  const from =
    query.with === undefined
      ? await findBefore(db, to)
      : await findGeneration(db, { projectId, generationId: query.with })
  for (const one of [to, from]) if (one && one.state !== 'completed') throw notCompleted(one.id)
  const before: Files = from ? await readFiles(db, from.id) : new Map()
  const after = await readFiles(db, to.id)
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted(compareText)
  return {
    data: {
      ...(from && { from: toSide(from) }),
      to: toSide(to),
      files: paths.map((path) => compare(path, before, after)),
    },
  }
}

/** The completed generation of the same unit before this one. */
async function findBefore(
  db: Kysely<Database>,
  { id, project_id: projectId, unit_id: unitId }: PublicGeneration,
): Promise<PublicGeneration | undefined> {
  if (unitId === null) throw isBatch(id)
  const row = await db
    .selectFrom('generations')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('state', '=', 'completed')
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && (await findGeneration(db, { projectId, generationId: row.id }))
}

async function readFiles(db: Kysely<Database>, generationId: string): Promise<Files> {
  const rows = await filesWithTexts(db)
    .select(['path', 'content'])
    .where('generation_id', '=', generationId)
    .execute()
  return new Map(rows.map(({ content, path }) => [path, content]))
}

function toSide({ finished_at, id, unit_id }: PublicGeneration): ApiData['diffGenerations']['to'] {
  return { id, ...(unit_id !== null && { unitId: unit_id }), ...timeMember('finishedAt', finished_at) }
}

function compare(path: string, from: Files, to: Files): ApiData['diffGenerations']['files'][number] {
  const [before, after] = [from.get(path), to.get(path)]
  if (before === after) return { path, change: 'unchanged', added: 0, removed: 0, diff: '' }
  const diff = patchOf({ path, before, after })
  // The lines behind the names of both files.
  const lines = diff.split('\n').slice(2)
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
  const sort = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return { path, change: sort, added: count('+'), removed: count('-'), diff }
}

function notCompleted(id: string): StagecraftError {
  return StagecraftError.invalid({ path: 'with', expected: 'completed generations', received: id })
}

function isBatch(id: string): StagecraftError {
  const expected = 'the generation of a unit'
  return StagecraftError.invalid({ path: 'generationId', expected, received: `${id}, a batch` })
}

/** Deletes an ended generation and its files. The newest one of a unit is kept, because archives and pushes use it. */
export async function deleteGeneration(
  context: ServiceContext,
  { caller: { projectId }, params: { generationId } }: CallOf<'deleteGeneration'>,
): ReplyOf<'deleteGeneration'> {
  await change(context, projectId, async (tx) => {
    const { state } = await tx.own('generations', generationId, { lock: 'delete' })
    if (state === 'queued' || state === 'running')
      throw stillNeeded('a generation that has ended', generationId)
    const unit = await tx.db
      .selectFrom('units')
      .select('id')
      .where('project_id', '=', projectId)
      .where('last_generation_id', '=', generationId)
      .executeTakeFirst()
    if (unit) throw stillNeeded(`a generation other than the newest of ${unit.id}`, generationId)
    const member = await tx.db
      .selectFrom('generations')
      .select('id')
      .where('batch_id', '=', generationId)
      .limit(1)
      .executeTakeFirst()
    if (member) throw stillNeeded('a batch whose generations are deleted', generationId)
    await tx.db.deleteFrom('generations').where('id', '=', generationId).execute()
  })
  return { data: { id: generationId, deleted: true } }
}

function stillNeeded(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'generationId', expected, received })
}

/** The number of generations kept of each unit, unless the project sets another. */
const KEPT = 100

/** Small, so that nothing waits for it. */
const AT_ONCE = 200

/** Deletes generations beyond the number that their project keeps, and batches that have none left. */
export async function pruneGenerations({ store }: Pick<ServiceContext, 'store'>): Promise<void> {
  const projects = await store.db.selectFrom('projects').select(['id', 'keep_generations']).execute()
  for (const { id, keep_generations } of projects) {
    while ((await pruneSome(store.db, id, keep_generations ?? KEPT)) === AT_ONCE);
    await pruneBatches(store.db, id)
  }
  await pruneTexts(store.db, await store.now())
}

async function pruneSome(db: Kysely<Database>, projectId: string, keep: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, unit_id, state, row_number() over (partition by unit_id order by id desc) as place
      from generations where project_id = ${projectId} and unit_id is not null
    ) numbered
    where place > ${keep} and state not in ('queued', 'running')
      and not exists (select 1 from units where units.id = numbered.unit_id and units.last_generation_id = numbered.id)
    limit ${AT_ONCE}`.execute(db)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('generations').where('id', 'in', ids).execute()
  return ids.length
}

async function pruneBatches(db: Kysely<Database>, projectId: string): Promise<void> {
  await sql`
    delete from generations where project_id = ${projectId} and kind = 'project' and state not in ('queued', 'running')
      and not exists (select 1 from generations member where member.batch_id = generations.id)`.execute(db)
}
