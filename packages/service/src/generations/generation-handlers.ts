import { basename } from 'node:path/posix'
import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { chunksOf } from '../store/chunks-of.ts'
import { page } from '../store/page.ts'
import type { GenerationRow, JobError } from '../store/schema.ts'
import { findUnitIds } from '../units/insert-unit.ts'
import { endGenerations, endMembers } from './generation-attempt.ts'
import { NEVER, newGeneration } from './batch-members.ts'
import { newestFiles } from './newest-files.ts'
import { findGeneration, PUBLIC_COLUMNS, readGeneration, readGenerations } from './read-generations.ts'
import { zipFiles } from './zip-files.ts'

type GenerationHandlers = Pick<
  ApiHandlers,
  | 'createGeneration'
  | 'listGenerations'
  | 'getGeneration'
  | 'cancelGeneration'
  | 'getGeneratedFile'
  | 'getArchive'
>

/** Answers the operations on generations and their files. */
export function generationHandlers(context: ServiceContext): GenerationHandlers {
  return {
    createGeneration: (call) => createGeneration(context, call),
    listGenerations: (call) => listGenerations(context, call),
    getGeneration: (call) => getGeneration(context, call),
    cancelGeneration: (call) => cancelGeneration(context, call),
    getGeneratedFile: (call) => getGeneratedFile(context, call),
    getArchive: (call) => getArchive(context, call),
  }
}

async function createGeneration(
  context: ServiceContext,
  { body: { columns = 'live', unitId, unitIds }, caller: { projectId } }: CallOf<'createGeneration'>,
): ReplyOf<'createGeneration'> {
  if (unitId !== undefined && unitIds !== undefined) throw bothGiven()
  const row = await change(context, projectId, async (tx) => {
    tx.wakeAfter('jobs')
    const base = { id: tx.ids.next('gen'), project_id: projectId, columns }
    if (unitId === undefined) return await insertBatch(tx, base, unitIds)
    await tx.own('units', unitId)
    const one = newGeneration({ ...base, kind: 'unit', unit_id: unitId }, await tx.now())
    await tx.db.insertInto('generations').values(one).execute()
    return one
  })
  return { data: await readGeneration(context.store.db, row), status: 202 }
}

/** The members are there from the beginning: they are what is left to do, whatever happens to the process. */
async function insertBatch(
  tx: Change,
  base: Pick<GenerationRow, 'id' | 'project_id' | 'columns'>,
  unitIds: readonly string[] | undefined,
): Promise<GenerationRow> {
  const members = await findUnitIds(tx.db, { projectId: tx.projectId, unitIds })
  if (members.length === 0) throw noUnits()
  const now = await tx.now()
  const unit_ids = unitIds === undefined ? null : JSON.stringify(unitIds)
  const batch = newGeneration({ ...base, kind: 'project', unit_ids }, now)
  await tx.db.insertInto('generations').values(batch).execute()
  for (const chunk of chunksOf(members)) {
    const rows = chunk.map((unit_id) => {
      const member = {
        id: tx.ids.next('gen'),
        kind: 'unit',
        unit_id,
        batch_id: batch.id,
        due_at: NEVER,
      } as const
      return newGeneration({ ...base, ...member }, now)
    })
    await tx.db.insertInto('generations').values(rows).execute()
  }
  return batch
}

function bothGiven(): Error {
  const expected = 'either unitId or unitIds'
  return StagecraftError.invalid({ path: 'unitIds', expected, received: 'both' })
}

function noUnits(): Error {
  const suggestion = 'create a unit first, or call POST /generate'
  return StagecraftError.invalid(
    { path: '', expected: 'a project with units', received: 'none' },
    { suggestion },
  )
}

async function listGenerations(
  { store: { db } }: ServiceContext,
  { caller, query: { batchId, cursor, kind, limit, state, unitId } }: CallOf<'listGenerations'>,
): ReplyOf<'listGenerations'> {
  let found = db.selectFrom('generations').select(PUBLIC_COLUMNS).where('project_id', '=', caller.projectId)
  if (batchId !== undefined) found = found.where('batch_id', '=', batchId)
  if (kind !== undefined) found = found.where('kind', '=', kind)
  if (state !== undefined) found = found.where('state', '=', state)
  if (unitId !== undefined) found = found.where('unit_id', '=', unitId)
  const { nextCursor, rows } = await page(found, { cursor, limit })
  return { data: { items: [...(await readGenerations(db, rows))] }, nextCursor }
}

async function getGeneration(
  { store: { db } }: ServiceContext,
  { caller: { projectId }, params: { generationId } }: CallOf<'getGeneration'>,
): ReplyOf<'getGeneration'> {
  return { data: await readGeneration(db, await findGeneration(db, { projectId, generationId })) }
}

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'the job was cancelled' }

/** One that has ended is answered as it is. */
async function cancelGeneration(
  context: ServiceContext,
  { caller: { projectId }, params: { generationId } }: CallOf<'cancelGeneration'>,
): ReplyOf<'cancelGeneration'> {
  const { db } = context.store
  await change(context, projectId, async (tx) => {
    await cancel(tx, await findGeneration(tx.db, { projectId, generationId }))
    tx.wakeAfter('jobs')
  })
  return { data: await readGeneration(db, await findGeneration(db, { projectId, generationId })) }
}

type Found = Awaited<ReturnType<typeof findGeneration>>

/** Stops a generation here, unless a worker holds it by a lease: then the worker stops it. */
async function cancel(tx: Change, { batch_id, id, is_request }: Found): Promise<void> {
  const claimed = await tx.db
    .updateTable('generations')
    .set({ cancel: 1 })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (claimed && is_request === 0 && batch_id === null) return
  const end = { state: 'cancelled', error: CANCELLED } as const
  const ended = await endGenerations(tx, { ids: [id] }, end)
  if (ended.length > 0) await endMembers(tx, id, end)
}

async function getGeneratedFile(
  { store: { db } }: ServiceContext,
  { caller: { projectId }, params: { generationId, path } }: CallOf<'getGeneratedFile'>,
) {
  await findGeneration(db, { projectId, generationId })
  const file = await db
    .selectFrom('generation_files')
    .select('content')
    .where('generation_id', '=', generationId)
    .where('path', '=', path)
    .executeTakeFirst()
  if (!file) throw StagecraftError.unknownId('generated file', path, 'path')
  return { bytes: new TextEncoder().encode(file.content), fileName: basename(path) }
}

async function getArchive(context: ServiceContext, { caller: { projectId }, signal }: CallOf<'getArchive'>) {
  const { name } = await projectSettings(context.store.db, projectId)
  const bytes = await zipFiles(await newestFiles(context, { projectId, signal }))
  return { bytes, fileName: `${plainName(name)}.zip` }
}

/** Returns a file name that every system accepts. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'project' : plain
}
