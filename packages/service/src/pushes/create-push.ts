import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import { nothingGenerated } from '../generations/newest-files.ts'
import { queuedJob } from '../jobs/job-kind.ts'
import { invalid } from '../resources/errors.ts'
import type { Database, PushRow } from '../store/schema.ts'
import { findUnitIds, type UnitSelection } from '../units/find-unit-ids.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { type PushPlace, wasPushed } from './push-ledger.ts'
import { takeSnapshot } from './push-snapshot.ts'
import { readGit } from './read-git.ts'
import { toPush } from './to-push.ts'

/** What a push would fail for at once, it is refused for. */
export function createPush(context: ServiceContext): ApiHandlers['createPush'] {
  return async ({ body: { branch, message, overwrite = false, unitIds }, caller: { projectId } }) => {
    assertBranch(branch)
    const push = await change(context, projectId, async (tx) => {
      const { git } = await readGit(tx.db, projectId)
      const settings = await projectSettings(tx.db, projectId)
      const place = { project_id: projectId, remote: git.remote, branch }
      await assertGenerated(tx.db, { projectId, unitIds }, place)
      const row: PushRow = {
        ...queuedJob(await tx.now()),
        id: tx.ids.next('push'),
        project_id: projectId,
        branch,
        message,
        unit_ids: unitIds === undefined ? null : JSON.stringify(unitIds),
        overwrite: overwrite ? 1 : 0,
        git: JSON.stringify(git),
        settings: JSON.stringify(settings),
        sent: null,
        outcome: null,
        commit_id: null,
        files: null,
        removed: null,
        kept: null,
      }
      await tx.db.insertInto('pushes').values(row).execute()
      tx.wakeAfter('jobs')
      await takeSnapshot(tx.db, { pushId: row.id, projectId, unitIds })
      return row
    })
    return { data: toPush(push), status: 202 }
  }
}

function assertBranch(branch: string): void {
  const expected = branchProblem(branch)
  if (expected !== undefined) throw invalid([{ path: 'branch', expected, received: JSON.stringify(branch) }])
}

/** A push of all units has something to do also when all of them are gone from a branch that was given some. */
async function assertGenerated(
  db: Kysely<Database>,
  selection: UnitSelection,
  place: PushPlace,
): Promise<void> {
  const ids = await findUnitIds(db, selection)
  const one =
    ids.length > 0 &&
    (await db
      .selectFrom('units')
      .select('id')
      .where('project_id', '=', selection.projectId)
      .$if(selection.unitIds !== undefined, (units) => units.where('id', 'in', ids))
      .where('last_generation_id', 'is not', null)
      .executeTakeFirst())
  if (one || (!selection.unitIds && (await wasPushed(db, place)))) return
  throw nothingGenerated()
}
