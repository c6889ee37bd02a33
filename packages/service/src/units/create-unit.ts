import type { Fault } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { publish } from '../events/publish.ts'
import { invalid } from '../resources/errors.ts'
import type { UnitRow } from '../store/schema.ts'
import { insertUnit } from './insert-unit.ts'
import { nameUnit } from './name-unit.ts'
import { toUnit, unitData } from './to-unit.ts'

export function createUnit({ ids, store, wake }: ServiceContext): ApiHandlers['createUnit'] {
  return async ({ body, caller: { projectId } }) => {
    const { connectionId, options = {}, source, type } = body
    const name = await nameUnit(store.db, { type, source }, { projectId, connectionId })
    const unit = await store.transaction(async (transaction) => {
      const now = await store.now(transaction)
      const setup = { ids, now }
      const wanted = { projectId, name: body.name ?? name, type, source, options, connectionId }
      const { isNew, row } = await insertUnit(transaction, wanted, setup)
      if (!isNew) throw invalid([duplicate(row)], { unitId: row.id })
      await publish(transaction, { projectId, event: 'unit.created', data: unitData(row) }, setup)
      return row
    })
    wake.notify('deliveries')
    return { data: toUnit(unit) }
  }
}

function duplicate({ id, source, type }: UnitRow): Fault {
  return {
    path: 'source',
    expected: `a source without a ${type} unit`,
    received: `${source}, of which ${id} is the unit`,
  }
}
