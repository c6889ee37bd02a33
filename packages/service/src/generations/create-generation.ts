import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { invalid } from '../resources/errors.ts'
import type { Database, GenerationRow } from '../store/schema.ts'
import { findUnit } from '../units/find-unit.ts'
import { findUnitIds } from '../units/find-unit-ids.ts'
import { NEVER, newGeneration } from './new-generation.ts'
import { tellGenerations } from './tell-generations.ts'

export function createGeneration(context: ServiceContext): ApiHandlers['createGeneration'] {
  const { ids, store, wake } = context
  return async ({ body: { columns = 'live', unitId, unitIds }, caller: { projectId } }) => {
    if (unitId !== undefined && unitIds !== undefined) throw bothGiven()
    const row = await store.transaction(async (transaction) => {
      const now = await store.now(transaction)
      const base = { id: ids.next('gen'), project_id: projectId, columns }
      if (unitId === undefined)
        return await insertBatch(transaction, { ...base, unitIds, now, nextId: () => ids.next('gen') })
      await findUnit(transaction, { projectId, unitId })
      const one = newGeneration({ ...base, kind: 'unit', unit_id: unitId }, now)
      await transaction.insertInto('generations').values(one).execute()
      return one
    })
    wake.notify('jobs')
    const [data] = await tellGenerations(store.db, [row])
    if (!data) throw new TypeError('a generation tells nothing')
    return { data, status: 202 }
  }
}

interface NewBatch extends Pick<GenerationRow, 'id' | 'project_id' | 'columns'> {
  readonly unitIds: readonly string[] | undefined
  readonly now: number
  readonly nextId: () => string
}

/** Rows of one statement: PostgreSQL takes 65,535 values. */
const CHUNK = 500

/** The members are there from the beginning: they are what is left to do, whatever happens to the process. */
async function insertBatch(
  transaction: Transaction<Database>,
  { nextId, now, unitIds, ...base }: NewBatch,
): Promise<GenerationRow> {
  const members = await findUnitIds(transaction, { projectId: base.project_id, unitIds })
  if (members.length === 0) throw noUnits()
  const unit_ids = unitIds === undefined ? null : JSON.stringify(unitIds)
  const batch = newGeneration({ ...base, kind: 'project', unit_ids }, now)
  await transaction.insertInto('generations').values(batch).execute()
  const rows = members.map((unit_id) =>
    newGeneration({ ...base, id: nextId(), kind: 'unit', unit_id, batch_id: batch.id, due_at: NEVER }, now),
  )
  for (let start = 0; start < rows.length; start += CHUNK) {
    await transaction
      .insertInto('generations')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
  return batch
}

function bothGiven(): Error {
  return invalid([{ path: 'unitIds', expected: 'nothing beside unitId', received: 'both' }])
}

function noUnits(): Error {
  const suggestion = 'create a unit first, or call POST /generate'
  return invalid([{ path: '', expected: 'a project with units', received: 'none' }], { suggestion })
}
