import { isDeepStrictEqual } from 'node:util'
import { type Fault, StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers, ApiOperations, Call } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { failOpenGenerations } from '../generations/generation-attempt.ts'
import { ownedRow } from '../store/owned-rows.ts'
import { page } from '../store/page.ts'
import type { UnitRow } from '../store/schema.ts'
import { insertUnit } from './insert-unit.ts'
import { nameUnit } from './name-unit.ts'
import { optionsOf, toUnit, unitData } from './to-unit.ts'

type UnitHandlers = Pick<ApiHandlers, 'createUnit' | 'listUnits' | 'getUnit' | 'updateUnit' | 'deleteUnit'>

/** Answers the operations on units. */
export function unitHandlers(context: ServiceContext): UnitHandlers {
  const { store } = context
  return {
    createUnit: async (call) => ({ data: toUnit(await createUnit(context, call)) }),
    updateUnit: async (call) => ({ data: toUnit(await updateUnit(context, call)) }),
    async deleteUnit({ caller: { projectId }, ifVersion, params: { unitId } }) {
      await change(context, projectId, async (tx) => {
        // No generation of it begins meanwhile.
        const unit = await tx.own('units', unitId, { lock: 'delete', ifVersion })
        await failOpenGenerations(tx, unit)
        await tx.db.deleteFrom('units').where('id', '=', unitId).execute()
        await tx.publish('unit.deleted', unitData(unit))
      })
      return { data: { id: unitId, deleted: true } }
    },
    async getUnit({ caller: { projectId }, params: { unitId } }) {
      return { data: toUnit(await ownedRow(store, 'units', { projectId, id: unitId })) }
    },
    async listUnits({ caller, query: { cursor, limit, source, type } }) {
      let units = store.db.selectFrom('units').selectAll().where('project_id', '=', caller.projectId)
      if (type !== undefined) units = units.where('type', '=', type)
      if (source !== undefined) units = units.where('source', '=', source)
      const { nextCursor, rows } = await page(units, { cursor, limit })
      return { data: { items: rows.map(toUnit) }, nextCursor }
    },
  }
}

async function createUnit(
  context: ServiceContext,
  { body, caller: { projectId } }: Call<ApiOperations['createUnit']>,
): Promise<UnitRow> {
  const { connectionId, options = {}, source, type } = body
  const name = await nameUnit(context.store.db, { type, source }, { projectId, connectionId })
  return await change(context, projectId, async (tx) => {
    if (connectionId !== undefined) await tx.own('connections', connectionId, { lock: 'share' })
    const wanted = { name: body.name ?? name, type, source, options, connectionId }
    const { isNew, row } = await insertUnit(tx, wanted)
    if (!isNew) throw StagecraftError.invalid([duplicate(row)], { details: { unitId: row.id } })
    await tx.publish('unit.created', unitData(row))
    return row
  })
}

function duplicate({ id, source, type }: UnitRow): Fault {
  return {
    path: 'source',
    expected: `a source without a ${type} unit`,
    received: `${source}, of which ${id} is the unit`,
  }
}

type Update = Call<ApiOperations['updateUnit']>

async function updateUnit(
  context: ServiceContext,
  { body, caller: { projectId }, ifVersion, params: { unitId } }: Update,
): Promise<UnitRow> {
  return await change(context, projectId, async (tx) => {
    // First the connection, as whoever changes or deletes it does; a fixed order leaves no room for a deadlock.
    if (body.connectionId) await tx.own('connections', body.connectionId, { lock: 'share' })
    const before = await tx.own('units', unitId, { lock: 'update', ifVersion })
    const columns = changedColumns(body, before)
    if (Object.keys(columns).length === 0) return before
    const after = await tx.revise('units', before, columns)
    await tx.publish('unit.updated', unitData(after))
    return after
  })
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
