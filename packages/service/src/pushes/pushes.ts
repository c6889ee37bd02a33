import { StagecraftError } from '@stagecraft/spec'
import type { Kysely } from 'kysely'
import type { ServiceContext } from '../context.ts'
import type { GitCredentials } from '../git/push-options.ts'
import { type Lease, queuedJob } from '../jobs/lease.ts'
import { gitOf, type GitSecret, type GitSettings } from '../projects/git-settings.ts'
import { type ProjectSettings, projectSettings, readProject } from '../projects/project-settings.ts'
import type { Database, JobError, ProjectRow, PushRow } from '../store/schema.ts'
import { dropSnapshot, takeSnapshot } from './push-snapshot.ts'
import { LISTED_COLUMNS, NO_OUTCOME, toPlannedPush, toPush, unitIdsOf } from './to-push.ts'
import type { ApiHandlers } from '@stagecraft/spec/api'
import { change } from '../change.ts'
import type { CallOf, ReplyOf } from '../handler-types.ts'
import { nothingGenerated } from '../generations/newest-files.ts'
import { branchProblem } from '../git/branch-name.ts'
import { chunksOf, ownedRow } from '../store/rows.ts'
import { allOf, hasText, inPeriod, isValue } from '../store/list-filters.ts'
import { page } from '../store/page.ts'
import { findUnitIds } from '../units/units.ts'
import { wasPushed } from './push-ledger.ts'

/** The parameters of a push, with the settings at the time of its creation and the current credentials. */
export interface PushOrder {
  readonly git: GitSettings
  readonly settings: ProjectSettings
  readonly project: ProjectRow
}

/** @throws {StagecraftError} INVALID_REQUEST if the project now has a different repository, or none. */
export async function readOrder(
  row: PushRow,
  lease: Lease<'pushes'>,
  { store }: ServiceContext,
): Promise<PushOrder> {
  const { id: pushId, project_id: projectId } = row
  const now = await readGit(store.db, projectId)
  if (row.git === null || row.settings === null) {
    const settings = await projectSettings(store.db, projectId)
    await lease.write(async (tx) => {
      await takeSnapshot(tx.db, { pushId, projectId, unitIds: unitIdsOf(row) })
      return { git: JSON.stringify(now.git), settings: JSON.stringify(settings) }
    })
    return { ...now, settings }
  }
  const git = JSON.parse(row.git) as GitSettings
  if (git.remote !== now.git.remote) {
    throw StagecraftError.invalid(
      [{ path: 'git.remote', expected: 'the repository at the time of the request', received: 'another' }],
      {
        suggestion: 'push again',
      },
    )
  }
  return { git, settings: JSON.parse(row.settings) as ProjectSettings, project: now.project }
}

interface ProjectGit {
  readonly git: GitSettings
  readonly project: ProjectRow
}

/** @throws {StagecraftError} INVALID_REQUEST for a project that has no repository. */
export async function readGit(db: Kysely<Database>, projectId: string): Promise<ProjectGit> {
  const project = await readProject(db, projectId)
  const git = gitOf(project)
  if (git) return { git, project }
  const suggestion = `set it first: PATCH /v1/projects/${projectId} with {"git": {"remote": "https://…", "token": "…"}}`
  throw StagecraftError.invalid(
    [{ path: 'git', expected: 'a project with a Git repository', received: 'none' }],
    {
      suggestion,
    },
  )
}

/** Returns the credentials of the remote: a token for https, a key for ssh. A project has one of them. */
export function pushCredentials({
  knownHosts,
  privateKey,
  token,
  username,
}: GitSecret): GitCredentials | undefined {
  if (token !== undefined) return { token, ...(username !== undefined && { username }) }
  if (privateKey === undefined) return undefined
  return { privateKey, ...(knownHosts !== undefined && { knownHosts }) }
}

type PushHandlers = Pick<ApiHandlers, 'createPush' | 'listPushes' | 'getPush' | 'cancelPush'>

/** Creates the handlers of the operations on pushes. */
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
 * Refuses a push that would fail at once. A push of all units is also valid without units, if the branch has files of
 * deleted ones.
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
      // A push that a process returned to the queue may have arrived.
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
