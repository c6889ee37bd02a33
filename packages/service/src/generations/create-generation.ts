import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { type Change, change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { GenerationRow } from '../store/schema.ts'
import { findUnitIds } from '../units/find-unit-ids.ts'
import { NEVER, newGeneration } from './new-generation.ts'
import { tellGenerations } from './tell-generations.ts'

export function createGeneration(context: ServiceContext): ApiHandlers['createGeneration'] {
  const { store } = context
  return async ({ body: { columns = 'live', unitId, unitIds }, caller: { projectId } }) => {
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
    const [data] = await tellGenerations(store.db, [row])
    if (!data) throw new TypeError('the generation has no data')
    return { data, status: 202 }
  }
}

/** Rows of one statement: PostgreSQL takes 65,535 values. */
const CHUNK = 500

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
  const rows = members.map((unit_id) =>
    newGeneration(
      { ...base, id: tx.ids.next('gen'), kind: 'unit', unit_id, batch_id: batch.id, due_at: NEVER },
      now,
    ),
  )
  for (let start = 0; start < rows.length; start += CHUNK) {
    await tx.db
      .insertInto('generations')
      .values(rows.slice(start, start + CHUNK))
      .execute()
  }
  return batch
}

function bothGiven(): Error {
  return StagecraftError.invalid([{ path: 'unitIds', expected: 'nothing beside unitId', received: 'both' }])
}

function noUnits(): Error {
  const suggestion = 'create a unit first, or call POST /generate'
  return StagecraftError.invalid([{ path: '', expected: 'a project with units', received: 'none' }], {
    suggestion,
  })
}
