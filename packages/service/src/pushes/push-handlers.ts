import { StagecraftError } from '@stagecraft/spec'
import type { ApiHandlers } from '@stagecraft/spec/api'
import type { Kysely } from 'kysely'
import { change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { nothingGenerated } from '../generations/newest-files.ts'
import { branchProblem } from '../git/branch-name.ts'
import { queuedJob } from '../jobs/lease.ts'
import { projectSettings } from '../projects/project-settings.ts'
import { chunksOf, ownedRow } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import type { Database, JobError, PushRow } from '../store/schema.ts'
import { findUnitIds } from '../units/units.ts'
import { wasPushed } from './push-ledger.ts'
import { dropSnapshot, takeSnapshot } from './push-snapshot.ts'
import { readGit } from './push-order.ts'
import { LISTED_COLUMNS, NO_OUTCOME, toPlannedPush, toPush } from './to-push.ts'

type PushHandlers = Pick<ApiHandlers, 'createPush' | 'listPushes' | 'getPush' | 'cancelPush'>

/** The operations on pushes. */
export function pushHandlers(context: ServiceContext): PushHandlers {
  return {
    createPush: (call) => createPush(context, call),
    listPushes: (call) => listPushes(context, call),
    getPush: (call) => getPush(context, call),
    cancelPush: (call) => cancelPush(context, call),
  }
}

async function listPushes(
  { store }: ServiceContext,
  { caller, query }: CallOf<'listPushes'>,
): ReplyOf<'listPushes'> {
  const { branch, outcome, search, since, state, until, ...position } = query
  const pushes = store.db
    .selectFrom('pushes')
    .select(LISTED_COLUMNS)
    .where('project_id', '=', caller.projectId)
    .where(
      allOf([
        isValue('state', state),
        isValue('branch', branch),
        isValue('outcome', outcome),
        search === undefined ? undefined : hasText(['message', 'commit_id'], search),
        ...inPeriod({ since, until }),
      ]),
    )
  const { nextCursor, rows } = await page(pushes, position)
  return { data: { items: rows.map(toPush) }, nextCursor }
}

async function getPush(
  { store }: ServiceContext,
  { caller: { projectId }, params: { pushId } }: CallOf<'getPush'>,
): ReplyOf<'getPush'> {
  return { data: toPlannedPush(await ownedRow(store, 'pushes', { projectId, id: pushId })) }
}

/**
 * A push that would fail at once is refused. A push of all units has something to do also when all units are gone from a
 * branch that has some of them.
 */
async function createPush(
  context: ServiceContext,
  {
    body: { branch, dryRun = false, message, overwrite = false, unitIds },
    caller: { projectId },
  }: CallOf<'createPush'>,
): ReplyOf<'createPush'> {
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
      dry_run: dryRun ? 1 : 0,
      git: JSON.stringify(git),
      settings: JSON.stringify(settings),
      ...NO_OUTCOME,
      analysis_id: null,
      fixes: null,
      proposal: null,
      proposal_items: null,
    }
    await tx.db.insertInto('pushes').values(row).execute()
    tx.wakeAfter('jobs')
    await takeSnapshot(tx.db, { pushId: row.id, projectId, unitIds })
    return row
  })
  return { data: toPush(push), status: 202 }
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

const CANCELLED: JobError = { code: 'GENERATION_FAILED', message: 'the job was cancelled' }

/** A running push may have reached the repository already, so it cannot be cancelled. */
async function cancelPush(
  context: ServiceContext,
  { caller: { projectId }, params: { pushId } }: CallOf<'cancelPush'>,
): ReplyOf<'cancelPush'> {
  const push = await change(context, projectId, async (tx) => {
    const finished_at = await tx.now()
    await tx.db
      .updateTable('pushes')
      .set({ state: 'cancelled', cancel: 1, finished_at, error: JSON.stringify(CANCELLED) })
      .where('id', '=', pushId)
      .where('project_id', '=', projectId)
      .where('state', '=', 'queued')
      // One that a process has handed back has begun, and may have arrived.
      .where('started_at', 'is', null)
      .execute()
    const push = await tx.own('pushes', pushId)
    if (push.state === 'cancelled') await dropSnapshot(tx.db, pushId)
    return push
  })
  if (push.state === 'running' || push.state === 'queued')
    throw StagecraftError.invalid([
      { path: 'pushId', expected: 'a push that has not begun', received: 'one that has' },
    ])
  return { data: toPush(push) }
}
