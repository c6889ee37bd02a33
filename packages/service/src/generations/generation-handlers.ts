import { type GeneratedFile, StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, UnitFilter } from '@stagecraft/spec/api'
import { Zip, ZipDeflate, strToU8 } from 'fflate'
import { sql } from 'kysely'
import { basename } from 'node:path/posix'
import { setImmediate as pause } from 'node:timers/promises'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { chunksOf } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { GenerationRow, JobError } from '../store/schema.ts'
import { unitCondition } from '../units/read-units.ts'
import { findUnitIds } from '../units/units.ts'
import { NEVER, newGeneration } from './batch-members.ts'
import { filesWithTexts } from './generated-files.ts'
import { endGenerations, endMembers } from './generation-attempt.ts'
import { newestFiles } from './newest-files.ts'
import { deleteGeneration, diffGenerations } from './old-generations.ts'
import {
  PUBLIC_COLUMNS,
  findGeneration,
  readGeneration,
  readGenerations,
  askedColumn,
} from './read-generations.ts'

/** The earliest time that the format allows, in local time, because zip times have no zone. */
const EARLIEST = new Date(1980, 0, 1)

const FILES_PER_PAUSE = 100

/** The same files give the same bytes at any time and in any zone. */
async function zipFiles(files: readonly Pick<GeneratedFile, 'path' | 'content'>[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const [index, { content, path }] of files.entries()) {
    const entry = new ZipDeflate(path, { level: 6 })
    entry.mtime = EARLIEST
    zip.add(entry)
    entry.push(strToU8(content), true)
    if (index % FILES_PER_PAUSE === FILES_PER_PAUSE - 1) await pause()
  }
  zip.end()
  return Buffer.concat(chunks)
}

type GenerationHandlers = Pick<
  ApiHandlers,
  | 'createGeneration'
  | 'listGenerations'
  | 'getGeneration'
  | 'cancelGeneration'
  | 'getGeneratedFile'
  | 'getArchive'
  | 'diffGenerations'
  | 'deleteGeneration'
>

/** Creates the handlers of the operations on generations and their files. */
export function generationHandlers(context: ServiceContext): GenerationHandlers {
  return {
    createGeneration: (call) => createGeneration(context, call),
    listGenerations: (call) => listGenerations(context, call),
    getGeneration: (call) => getGeneration(context, call),
    cancelGeneration: (call) => cancelGeneration(context, call),
    getGeneratedFile: (call) => getGeneratedFile(context, call),
    getArchive: (call) => getArchive(context, call),
    diffGenerations: (call) => diffGenerations(context, call),
    deleteGeneration: (call) => deleteGeneration(context, call),
  }
}

async function createGeneration(
  context: ServiceContext,
  call: CallOf<'createGeneration'>,
): ReplyOf<'createGeneration'> {
  const {
    body,
    caller: { projectId },
  } = call
  const { columns = 'live', filter, unitId, unitIds } = body
  if ([filter, unitId, unitIds].filter((one) => one !== undefined).length > 1) throw severalGiven()
  const row = await change(context, projectId, async (tx) => {
    tx.wakeAfter('jobs')
    const asked = askedColumn('createGeneration', call)
    const base = { id: tx.ids.next('gen'), project_id: projectId, columns, ...asked }
    if (filter) return await insertBatch(tx, base, await filteredIds(tx, filter))
    if (unitId === undefined) return await insertBatch(tx, base, unitIds)
    await tx.own('units', unitId)
    const one = newGeneration({ ...base, kind: 'unit', unit_id: unitId }, await tx.now())
    await tx.db.insertInto('generations').values(one).execute()
    return one
  })
  return { data: await readGeneration(context.store.db, row), status: 202 }
}

/** The members are created with the batch: they record the remaining work if the process dies. */
export async function insertBatch(
  tx: Change,
  base: Pick<GenerationRow, 'id' | 'project_id' | 'columns' | 'asked_by'>,
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
        asked_by: null,
      } as const
      return newGeneration({ ...base, ...member }, now)
    })
    await tx.db.insertInto('generations').values(rows).execute()
  }
  return batch
}

function severalGiven(): Error {
  const expected = 'one of unitId, unitIds and filter'
  return StagecraftError.invalid({ path: '', expected, received: 'several' })
}

async function filteredIds(tx: Change, filter: UnitFilter): Promise<readonly string[]> {
  const rows = await tx.db
    .selectFrom('units')
    .select('id')
    .where('project_id', '=', tx.projectId)
    .where(unitCondition(filter))
    .execute()
  if (rows.length > 0) return rows.map(({ id }) => id)
  throw StagecraftError.invalid({
    path: 'filter',
    expected: 'a filter that matches units',
    received: 'one that matches none',
  })
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
  { caller, query }: CallOf<'listGenerations'>,
): ReplyOf<'listGenerations'> {
  const { batchId, kind, search, since, state, unitId, until, ...position } = query
  const ofUnit = (text: string) => sql<boolean>`exists (
    select 1 from units where units.id = generations.unit_id and ${hasText(['units.name', 'units.source'], text)})`
  const found = db
    .selectFrom('generations')
    .select(PUBLIC_COLUMNS)
    .where('project_id', '=', caller.projectId)
    .where(
      allOf([
        isValue('batch_id', batchId),
        isValue('kind', kind),
        isValue('state', state),
        isValue('unit_id', unitId),
        search === undefined ? undefined : ofUnit(search),
        ...inPeriod({ since, until }),
      ]),
    )
  const { nextCursor, rows } = await page(found, position)
  return { data: { items: [...(await readGenerations(db, rows))] }, nextCursor }
}

async function getGeneration(
  { store: { db } }: ServiceContext,
  { caller: { projectId }, params: { generationId } }: CallOf<'getGeneration'>,
): ReplyOf<'getGeneration'> {
  return { data: await readGeneration(db, await findGeneration(db, { projectId, generationId })) }
}

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'the job was cancelled' }

/** Returns a generation that has ended as it is. */
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

/** Stops a generation, unless a worker holds its lease. Then the worker stops it. */
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
  const file = await filesWithTexts(db)
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

/** Returns a file name that is valid on every system. */
function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'project' : plain
}
