import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { page } from '../store/page.ts'
import { createUnit } from './create-unit.ts'
import { deleteUnit } from './delete-unit.ts'
import { findUnit } from './find-unit.ts'
import { toUnit } from './to-unit.ts'
import { updateUnit } from './update-unit.ts'

type UnitHandlers = Pick<ApiHandlers, 'createUnit' | 'listUnits' | 'getUnit' | 'updateUnit' | 'deleteUnit'>

/** The operations on units. */
export function unitHandlers(context: ServiceContext): UnitHandlers {
  const { store } = context
  return {
    createUnit: createUnit(context),
    updateUnit: updateUnit(context),
    deleteUnit: deleteUnit(context),
    async getUnit({ caller: { projectId }, params: { unitId } }) {
      return { data: toUnit(await findUnit(store.db, { projectId, unitId })) }
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
