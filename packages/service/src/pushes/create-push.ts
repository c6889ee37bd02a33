import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { branchProblem } from '../git/branch-name.ts'
import { nothingGenerated } from '../generations/newest-files.ts'
import { queuedJob } from '../jobs/job-kind.ts'
import { chunksOf } from '../scans/chunks-of.ts'
import type { Database, PushRow } from '../store/schema.ts'
import { findUnitIds } from '../units/find-unit-ids.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { wasPushed } from './push-ledger.ts'
import { takeSnapshot } from './push-snapshot.ts'
import { readGit } from './read-git.ts'
import { toPush } from './to-push.ts'

/**
 * A push that would fail at once is refused. A push of all units has something to do also when all units are gone from a
 * branch that has some of them.
 */
export function createPush(context: ServiceContext): ApiHandlers['createPush'] {
  return async ({ body: { branch, message, overwrite = false, unitIds }, caller: { projectId } }) => {
    assertBranch(branch)
    const push = await change(context, projectId, async (tx) => {
      // Unknown ids first, as everywhere.
      const chosen = await findUnitIds(tx.db, { projectId, unitIds })
      const { git } = await readGit(tx.db, projectId)
      const settings = await projectSettings(tx.db, projectId)
      const place = { project_id: projectId, remote: git.remote, branch }
      if (!(await isAnyGenerated(tx.db, chosen)) && (unitIds || !(await wasPushed(tx.db, place))))
        throw nothingGenerated()
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
        skipped: null,
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
  if (expected !== undefined)
    throw StagecraftError.invalid([{ path: 'branch', expected, received: JSON.stringify(branch) }])
}

async function isAnyGenerated(db: Kysely<Database>, unitIds: readonly string[]): Promise<boolean> {
  for (const chunk of chunksOf(unitIds)) {
    const row = await db
      .selectFrom('units')
      .select('id')
      .where('id', 'in', chunk)
      .where('last_generation_id', 'is not', null)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}
