import { isDeepStrictEqual } from 'node:util'
import { DIALECTS } from '@stagecraft/core'
import { nameModel } from '@stagecraft/core/run'
import { type DialectName, type Fault, type GenerationRequest, StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { failOpenGenerations } from '../generations/generation-attempt.ts'
import { type ProjectSettings, projectSettings } from '../projects/project-settings.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import type { Database, UnitRow } from '../store/schema.ts'
import { insertUnit } from './insert-unit.ts'
import { optionsOf, toUnit, unitData } from './to-unit.ts'

type UnitHandlers = Pick<ApiHandlers, 'createUnit' | 'listUnits' | 'getUnit' | 'updateUnit' | 'deleteUnit'>

/** Creates the handlers of the operations on units. */
export function unitHandlers(context: ServiceContext): UnitHandlers {
  return {
    createUnit: (call) => createUnit(context, call),
    listUnits: (call) => listUnits(context, call),
    getUnit: (call) => getUnit(context, call),
    updateUnit: (call) => updateUnit(context, call),
    deleteUnit: (call) => deleteUnit(context, call),
  }
}

async function listUnits(
  { store }: ServiceContext,
  { caller, query: { cursor, limit, source, type } }: CallOf<'listUnits'>,
): ReplyOf<'listUnits'> {
  let units = store.db.selectFrom('units').selectAll().where('project_id', '=', caller.projectId)
  if (type !== undefined) units = units.where('type', '=', type)
  if (source !== undefined) units = units.where('source', '=', source)
  const { nextCursor, rows } = await page(units, { cursor, limit })
  return { data: { items: rows.map(toUnit) }, nextCursor }
}

async function getUnit(
  { store }: ServiceContext,
  { caller: { projectId }, params: { unitId } }: CallOf<'getUnit'>,
): ReplyOf<'getUnit'> {
  return { data: toUnit(await ownedRow(store, 'units', { projectId, id: unitId })) }
}

async function deleteUnit(
  context: ServiceContext,
  { caller: { projectId }, ifVersion, params: { unitId } }: CallOf<'deleteUnit'>,
): ReplyOf<'deleteUnit'> {
  await change(context, projectId, async (tx) => {
    // No generation of it begins meanwhile.
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
  const name = await nameUnit(context.store.db, { type, source }, { projectId, connectionId })
  const unit = await change(context, projectId, async (tx) => {
    if (connectionId !== undefined) await tx.own('connections', connectionId, { lock: 'share' })
    const wanted = { name: body.name ?? name, type, source, options, connectionId }
    const { isNew, row } = await insertUnit(tx, wanted)
    if (!isNew) throw StagecraftError.invalid([duplicate(row)], { details: { unitId: row.id } })
    await tx.publish('unit.created', unitData(row))
    return row
  })
  return { data: toUnit(unit) }
}

function duplicate({ id, source, type }: UnitRow): Fault {
  return {
    path: 'source',
    expected: `a source without a ${type} unit`,
    received: `${source}, of which ${id} is the unit`,
  }
}

type Update = CallOf<'updateUnit'>

async function updateUnit(
  context: ServiceContext,
  { body, caller: { projectId }, ifVersion, params: { unitId } }: Update,
): ReplyOf<'updateUnit'> {
  const unit = await change(context, projectId, async (tx) => {
    // First the connection, as whoever changes or deletes it does; a fixed order leaves no room for a deadlock.
    if (body.connectionId) await tx.own('connections', body.connectionId, { lock: 'share' })
    const before = await tx.own('units', unitId, { lock: 'update', ifVersion })
    const columns = changedColumns(body, before)
    if (Object.keys(columns).length === 0) return before
    const after = await tx.revise('units', before, columns)
    await tx.publish('unit.updated', unitData(after))
    return after
  })
  return { data: toUnit(unit) }
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

/** The widest rules for source names, for projects of which nobody knows the warehouse. */
const WIDEST: DialectName = 'bigquery'

interface NamingContext {
  readonly projectId: string
  readonly connectionId: string | null | undefined
}

/**
 * The name of the model that a unit is, without reading its table.
 *
 * @throws {StagecraftError} NOT_FOUND for another connection than those of the project; INVALID_REQUEST for a source
 * that is not a dotted name.
 */
async function nameUnit(
  db: Kysely<Database>,
  request: GenerationRequest,
  { connectionId, projectId }: NamingContext,
): Promise<string> {
  const settings = await projectSettings(db, projectId)
  const kind = await connectionKind(db, { connectionId, projectId })
  return nameModel(request, { ...settings, dialect: dialectOf(settings, kind) })
}

function dialectOf({ config, dialect }: ProjectSettings, kind: string | undefined): DialectName {
  return dialect ?? config?.dialect ?? (kind !== undefined && isDialect(kind) ? kind : WIDEST)
}

function isDialect(kind: string): kind is DialectName {
  return Object.hasOwn(DIALECTS, kind)
}

async function connectionKind(
  db: Kysely<Database>,
  { connectionId, projectId }: NamingContext,
): Promise<string | undefined> {
  const connections = db
    .selectFrom('connections')
    .select('kind')
    .where('connections.project_id', '=', projectId)
  if (connectionId === null || connectionId === undefined) {
    const row = await connections
      .innerJoin('projects', 'projects.connection_id', 'connections.id')
      .executeTakeFirst()
    return row?.kind
  }
  const row = await connections.where('connections.id', '=', connectionId).executeTakeFirst()
  if (!row) throw StagecraftError.unknownId('connection', connectionId)
  return row.kind
}
