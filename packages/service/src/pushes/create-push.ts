import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Transaction } from 'kysely'
import type { ServiceContext } from '../context.ts'
import { nothingGenerated } from '../generations/newest-files.ts'
import { queuedJob } from '../jobs/job-kind.ts'
import type { Database, PushRow } from '../store/schema.ts'
import { findUnitIds, type UnitSelection } from '../units/find-unit-ids.ts'
import { readGit } from './read-git.ts'
import { toPush } from './to-push.ts'

/** What a push would fail for at once, it is refused for. */
export function createPush({ ids, store, wake }: ServiceContext): ApiHandlers['createPush'] {
  return async ({ body: { branch, message, overwrite = false, unitIds }, caller: { projectId } }) => {
    const push = await store.transaction(async (transaction) => {
      await readGit(transaction, projectId)
      await assertGenerated(transaction, { projectId, unitIds })
      const row: PushRow = {
        ...queuedJob(await store.now(transaction)),
        id: ids.next('push'),
        project_id: projectId,
        branch,
        message,
        unit_ids: unitIds === undefined ? null : JSON.stringify(unitIds),
        overwrite: overwrite ? 1 : 0,
        outcome: null,
        commit_id: null,
        files: null,
      }
      await transaction.insertInto('pushes').values(row).execute()
      return row
    })
    wake.notify('jobs')
    return { data: toPush(push), status: 202 }
  }
}

async function assertGenerated(transaction: Transaction<Database>, selection: UnitSelection): Promise<void> {
  const ids = await findUnitIds(transaction, selection)
  const one =
    ids.length > 0 &&
    (await transaction
      .selectFrom('units')
      .select('id')
      .where('project_id', '=', selection.projectId)
      .$if(selection.unitIds !== undefined, (units) => units.where('id', 'in', ids))
      .where('last_generation_id', 'is not', null)
      .executeTakeFirst())
  if (!one) throw nothingGenerated()
}
