import type { ApiHandlers } from '@stagecraft/spec/api'
import type { ServiceContext } from '../context.ts'
import { publish } from '../events/publish.ts'
import { failOpenGenerations } from '../generations/fail-open-generations.ts'
import { versionConflict } from '../resources/errors.ts'
import { holdUnit } from './hold-unit.ts'
import { unitData } from './to-unit.ts'

export function deleteUnit({ ids, store, wake }: ServiceContext): ApiHandlers['deleteUnit'] {
  return async ({ caller: { projectId }, ifVersion, params: { unitId } }) => {
    await store.transaction(async (transaction) => {
      const unit = await holdUnit(transaction, { projectId, unitId, store })
      if (ifVersion !== undefined && ifVersion !== unit.version)
        throw versionConflict('unit', { current: unit.version, asked: ifVersion })
      const now = await store.now(transaction)
      await failOpenGenerations(transaction, unit, { ids, now })
      await transaction.deleteFrom('units').where('id', '=', unitId).execute()
      await publish(transaction, { projectId, event: 'unit.deleted', data: unitData(unit) }, { ids, now })
    })
    wake.notify('deliveries')
    return { data: { id: unitId, deleted: true } }
  }
}
