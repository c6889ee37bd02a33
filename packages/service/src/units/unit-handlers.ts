import { isDeepStrictEqual } from 'node:util'
import { createRun, parseItem } from '@stagecraft/core/run'
import { type DialectName, type Fault, StagecraftError, type Explanation } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { failOpenGenerations } from '../generations/generation-attempt.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { ownedRow } from '../store/rows.ts'
import { page } from '../store/page.ts'
import type { UnitRow } from '../store/schema.ts'
import { createUnits } from './create-units.ts'
import { modelNamer } from './model-namer.ts'
import { readUnit, selectUnits, toUnit, unitCondition } from './read-units.ts'
import { insertUnit, optionsOf, unitData } from './units.ts'
import { readDoneItems } from '../generations/batch-members.ts'
import { readTable, runSetup } from '../generations/generate-unit.ts'

type UnitHandlers = Pick<
  ApiHandlers,
  | 'createUnit'
  | 'createUnits'
  | 'countUnits'
  | 'listUnits'
  | 'getUnit'
  | 'updateUnit'
  | 'explainUnit'
  | 'deleteUnit'
>

/** Creates the handlers of the operations on units. */
export function unitHandlers(context: ServiceContext): UnitHandlers {
  return {
    createUnit: (call) => createUnit(context, call),
    createUnits: (call) => createUnits(context, call),
    countUnits: (call) => countUnits(context, call),
    listUnits: (call) => listUnits(context, call),
    getUnit: (call) => getUnit(context, call),
    updateUnit: (call) => updateUnit(context, call),
    explainUnit: (call) => explainUnit(context, call),
    deleteUnit: (call) => deleteUnit(context, call),
  }
}

async function listUnits(
  { store }: ServiceContext,
  { caller, query: { cursor, limit, ...filter } }: CallOf<'listUnits'>,
): ReplyOf<'listUnits'> {
  const units = selectUnits(store.db, caller.projectId).where(unitCondition(filter))
  const { nextCursor, rows } = await page(units, { cursor, limit })
  return { data: { items: rows.map(toUnit) }, nextCursor }
}

async function getUnit(
  { store }: ServiceContext,
  { caller: { projectId }, params: { unitId } }: CallOf<'getUnit'>,
): ReplyOf<'getUnit'> {
  return { data: await readUnit(store.db, projectId, unitId) }
}

async function countUnits(
  { store }: ServiceContext,
  { caller, query }: CallOf<'countUnits'>,
): ReplyOf<'countUnits'> {
  const { units } = await store.db
    .selectFrom('units')
    .select(({ fn }) => fn.countAll<number>().as('units'))
    .where('project_id', '=', caller.projectId)
    .where(unitCondition(query))
    .executeTakeFirstOrThrow()
  return { data: { units } }
}

async function deleteUnit(
  context: ServiceContext,
  { caller: { projectId }, ifVersion, params: { unitId } }: CallOf<'deleteUnit'>,
): ReplyOf<'deleteUnit'> {
  await change(context, projectId, async (tx) => {
    // No generation of it starts meanwhile.
    const unit = await tx.own('units', unitId, { lock: 'delete', ifVersion })
    await failOpenGenerations(tx, unit)
    await tx.db.deleteFrom('units').where('id', '=', unitId).execute()
    await tx.publish('unit.deleted', unitData(unit))
  })
  return { data: { id: unitId, deleted: true } }
}

async function createUnit(
  context: ServiceContext,
  { body, caller: { projectId } }: CallOf<'createUnit'>,
): ReplyOf<'createUnit'> {
  const { connectionId, options = {}, source, type } = body
  const nameOf = await modelNamer(context.store, { projectId, connectionId })
  const name = nameOf({ type, source })
  const unit = await change(context, projectId, async (tx) => {
    if (connectionId !== undefined) await tx.own('connections', connectionId, { lock: 'share' })
    const wanted = { name: body.name ?? name, type, source, options, connectionId }
    const { isNew, row } = await insertUnit(tx, wanted)
    if (!isNew) throw StagecraftError.invalid([duplicate(row)], { details: { unitId: row.id } })
    await tx.publish('unit.created', unitData(row))
    return row
  })
  return { data: toUnit({ ...unit, state: 'new' }) }
}

function duplicate({ id, source, type }: UnitRow): Fault {
  return {
    path: 'source',
    expected: `a source without a ${type} unit`,
    received: `${source}, which already has ${id}`,
  }
}

type Update = CallOf<'updateUnit'>

async function updateUnit(
  context: ServiceContext,
  { body, caller: { projectId }, ifVersion, params: { unitId } }: Update,
): ReplyOf<'updateUnit'> {
  await change(context, projectId, async (tx) => {
    // Lock the connection first, as in changes and deletions of connections. A fixed order prevents deadlocks.
    if (body.connectionId) await tx.own('connections', body.connectionId, { lock: 'share' })
    const before = await tx.own('units', unitId, { lock: 'update', ifVersion })
    const columns = changedColumns(body, before)
    if (Object.keys(columns).length === 0) return
    const after = await tx.revise('units', before, columns)
    await tx.publish('unit.updated', unitData(after))
  })
  return { data: await readUnit(context.store.db, projectId, unitId) }
}

function changedColumns(
  { connectionId, name, options }: Update['body'],
  row: UnitRow,
): Partial<Pick<UnitRow, 'name' | 'options' | 'connection_id'>> {
  const hasOptions = options !== undefined && !isDeepStrictEqual(options, optionsOf(row))
  return {
    ...(name !== undefined && name !== row.name && { name }),
    ...(hasOptions && { options: JSON.stringify(options) }),
    ...(connectionId !== undefined && connectionId !== row.connection_id && { connection_id: connectionId }),
  }
}

/** Explains the model of a unit: as it was generated last, or as it would be with the requested columns. */
async function explainUnit(
  context: ServiceContext,
  { caller: { projectId }, params: { unitId }, query: { columns }, signal }: CallOf<'explainUnit'>,
): ReplyOf<'explainUnit'> {
  const unit = await ownedRow(context.store, 'units', { projectId, id: unitId })
  const settings = await projectSettings(context.store.db, projectId)
  const isOfGeneration = columns === 'generation' || columns === undefined
  const explained = isOfGeneration ? await explainNewest(unit, settings, context) : undefined
  if (explained) return { data: explained }
  if (columns === 'generation') throw withoutGeneration(unit)
  const request = { type: unit.type, source: unit.source, options: optionsOf(unit) }
  const place = { projectId, columns: columns ?? 'live', connectionId: unit.connection_id, signal }
  const { table } = await readTable(request, context, { ...place, settings })
  return { data: table.explain() }
}

/** Returns the newest completed generation of the unit, in a run with the tables generated together with it. */
async function explainNewest(
  unit: UnitRow,
  settings: ProjectSettings,
  context: ServiceContext,
): Promise<Explanation | undefined> {
  if (unit.last_generation_id === null) return undefined
  const { db } = context.store
  const row = await db
    .selectFrom('generations')
    .select(['item', 'dialect', 'batch_id'])
    .where('id', '=', unit.last_generation_id)
    .executeTakeFirst()
  if (!row || row.item === null || row.dialect === null) return undefined
  const own = parseItem(row.item)
  const batch = row.batch_id === null ? [] : await readDoneItems(db, row.batch_id, unit.connection_id)
  const others = batch.filter(
    ({ request }) => request.source !== own.request.source || request.type !== own.request.type,
  )
  const setup = runSetup(context, settings, row.dialect as DialectName)
  return createRun([own, ...others], setup).tables[0]?.explain()
}

function withoutGeneration({ id }: UnitRow): StagecraftError {
  const expected = 'a unit with a completed generation'
  return StagecraftError.invalid(
    { path: 'columns', expected, received: `${id}, which has none` },
    { suggestion: 'generate the unit first, or ask with columns=live' },
  )
}
