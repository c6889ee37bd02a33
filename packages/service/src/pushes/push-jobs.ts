import type { GeneratedFile } from '@stagecraft/spec'
import { sql } from 'kysely'
import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { filesWithTexts } from '../generations/generated-files.ts'
import { printUnits } from '../generations/newest-files.ts'
import { mayHaveArrived } from '../git/failures.ts'
import type { FixOrder } from '../analyses/analysis-task.ts'
import { planFixes } from '../analyses/fix-project.ts'
import { pushFiles } from '../git/push-files.ts'
import type { GoneFiles, PlannedUnits, PushOptions, PushOutcome, SentCommit } from '../git/push-options.ts'
import { TryAgain } from '../jobs/run-jobs.ts'
import type { JobKind, JobResult, Lease } from '../jobs/lease.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { gitSecretOf } from '../projects/git-settings.ts'
import type { ProjectSettings } from '../projects/project-settings.ts'
import type { PushRow } from '../store/schema.ts'
import { planProposal, planProposedModels } from '../talk/proposals.ts'
import { planUnitsInThread } from './plan-thread.ts'
import {
  type PushPlace,
  addPushed,
  dropPushed,
  trimPushed,
  markEditedUnits,
  readPushed,
} from './push-ledger.ts'
import { type PushOrder, pushCredentials, readOrder } from './pushes.ts'
import { type Snapshot, dropSnapshot, readSnapshot } from './push-snapshot.ts'
import { readSent, unitIdsOf, writeSent } from './to-push.ts'

interface FilesToPush {
  readonly settings: ProjectSettings
  /** True if only some units are selected. */
  readonly isPartial: boolean
  /** Paths of the files pushed to the branch before. */
  readonly pushed: ReadonlySet<string>
  readonly signal: AbortSignal
}

interface PushContents {
  readonly files: readonly GeneratedFile[]
  /** The files pushed to the branch before that no longer have a unit. */
  readonly gone: GoneFiles
}

/**
 * Returns the files of a push. Selected units are printed together with the units whose models are in the branch: they
 * share YAML files, which would otherwise lose entries.
 *
 * @throws {StagecraftError} As `printUnits` does.
 */
async function filesToPush(
  { paths, units }: Snapshot,
  { isPartial, pushed, settings, signal }: FilesToPush,
): Promise<PushContents> {
  if (!isPartial) {
    const files = await printUnits(units, settings, signal)
    const alive = new Set(files.map(({ path }) => path))
    return { files, gone: { paths: [...pushed].filter((path) => !alive.has(path)), of: 'all' } }
  }
  const asked = new Set(units.filter(({ isAsked }) => isAsked).map(({ unitId }) => unitId))
  const others = paths.filter(
    ({ path, unitId }) => path.endsWith('.sql') && pushed.has(path) && !asked.has(unitId),
  )
  const printed = new Set([...asked, ...others.map(({ unitId }) => unitId)])
  const all = await printUnits(
    units.filter(({ unitId }) => printed.has(unitId)),
    settings,
    signal,
  )
  const notAsked = new Set(others.map(({ path }) => path))
  const alive = new Set([...paths, ...all].map(({ path }) => path))
  return {
    files: all.filter(({ path }) => !notAsked.has(path)),
    gone: { paths: [...pushed].filter((path) => !alive.has(path)), of: 'sources' },
  }
}

/** A push waits for earlier pushes to the same branch, even when it is retried. */
const IN_ORDER = sql<boolean>`not exists (
  select 1 from pushes as earlier
  where earlier.state in ('queued', 'running')
    and earlier.project_id = pushes.project_id and earlier.branch = pushes.branch
    and (earlier.created_at < pushes.created_at
      or (earlier.created_at = pushes.created_at and earlier.id < pushes.id)))`

/** The maximum number of attempts. It is high, because only another attempt can find a commit that arrived. */
const ATTEMPTS = 10

/** Defines the jobs that push, one at a time for each branch. */
export function pushJobs(context: ServiceContext): JobKind<'pushes'> {
  return {
    table: 'pushes',
    concurrency: 2,
    attempts: ATTEMPTS,
    where: IN_ORDER,
    run: (row, lease) => push(row, lease, context),
    ended: (tx, { id }) => dropSnapshot(tx.db, id),
  }
}

async function push(row: PushRow, lease: Lease<'pushes'>, context: ServiceContext): Promise<void> {
  const { branch, project_id } = row
  const order = await readOrder(row, lease, context)
  const place = { project_id, remote: order.git.remote, branch }
  const sent = readSent(row)
  const found: Sending['found'] = {}
  try {
    const outcome = await send({ row, lease, context, order, place, sent, found })
    await lease.finish(async (tx) => {
      if (outcome.outcome !== 'planned') await trimPushed(tx.db, place, outcome.pushed)
      const isReplaced = row.overwrite === 1
      if (found.units && !(isReplaced && outcome.outcome === 'planned'))
        await markEditedUnits(tx, found.units, { isReplaced })
      await dropSnapshot(tx.db, row.id)
      const notPushed = {
        kept: JSON.stringify(outcome.kept),
        skipped: JSON.stringify(outcome.skipped),
        conflicts: JSON.stringify(outcome.conflicts),
        plan: outcome.plan ? JSON.stringify(outcome.plan) : null,
      }
      if (outcome.outcome !== 'pushed')
        return { outcome: outcome.outcome, commit_id: outcome.commit ?? null, ...notPushed, sent: null }
      await dropPushed(tx.db, place, outcome.removed)
      await publishCompleted(tx, row, outcome)
      const files = JSON.stringify(outcome.files)
      const removed = JSON.stringify(outcome.removed)
      return { outcome: 'pushed', commit_id: outcome.commit, files, removed, ...notPushed, sent: null }
    })
  } catch (error) {
    const isUnknown = sent.length > 0 && mayHaveArrived(error)
    throw isUnknown ? new TryAgain(error, pauseAfter(row.attempts)) : error
  }
}

/** The server may have taken the commit without confirming it. */
function pauseAfter(attempts: number): number {
  return Math.min(60_000, 1000 * 2 ** attempts)
}

async function publishCompleted(
  tx: Change,
  { branch, created_at, id, started_at }: PushRow,
  { commit, files }: SentCommit,
): Promise<void> {
  const files_pushed = files.map(({ lines, path }) => ({ path, lines }))
  const duration_ms = (await tx.now()) - (started_at ?? created_at)
  const data = { push_id: id, branch, commit, files_pushed, duration_ms }
  await tx.publish('push.completed', data)
}

interface Sending {
  readonly row: PushRow
  readonly lease: Lease<'pushes'>
  readonly context: ServiceContext
  readonly order: PushOrder
  readonly place: PushPlace
  /** The commits that earlier attempts were about to send; new ones are appended. */
  readonly sent: SentCommit[]
  /** The result of the last plan. */
  readonly found: { units?: PlannedUnits | undefined }
}

type Contents = Pick<PushOptions, 'files' | 'gone' | 'lastPushed' | 'planner'>

/** Fixes of an analysis replace the content that they fix, whoever wrote it. */
function fixContents({ lease, order: { git, settings }, row: { fixes } }: Sending): Contents {
  const order = JSON.parse(fixes ?? '{}') as FixOrder
  return {
    files: [],
    gone: { paths: [], of: 'all' },
    lastPushed: new Map(),
    planner: planFixes({ order, dialect: settings.dialect, folder: git.path, signal: lease.signal }),
  }
}

/** The contents of a push of fixes or of a proposal; undefined for one of units. */
function chooseContents(sending: Sending): Contents | undefined {
  const { order, row } = sending
  if (row.fixes !== null) return fixContents(sending)
  if (row.proposal === null) return undefined
  const { proposal: files, proposal_items: items } = row
  const {
    settings,
    git: { path: folder },
  } = order
  const planner =
    items === null
      ? planProposal(files, folder)
      : planProposedModels({ files, items, settings, folder, signal: sending.lease.signal })
  return { ...NO_UNITS, planner }
}

const NO_UNITS = { files: [], gone: { paths: [], of: 'all' }, lastPushed: new Map() } as const

async function unitContents({ context, found, lease, order, place, row }: Sending): Promise<Contents> {
  const { id, overwrite } = row
  const { git, settings } = order
  const { signal } = lease
  const isPartial = unitIdsOf(row) !== undefined
  const lastPushed = await readPushed(context.store.db, place, { isPartial })
  const pushed = new Set(lastPushed.keys())
  const snapshot = await readSnapshot(context.store.db, id)
  const { files, gone } = await filesToPush(snapshot, { isPartial, pushed, settings, signal })
  const planner = planUnitsInThread({
    snapshot,
    settings,
    isPartial,
    pushed: lastPushed,
    files,
    overwrite: overwrite === 1,
    folder: git.path,
    readGenerated: (unitId) => readGenerated(context, unitId),
    signal,
  })
  return {
    files: files.map(({ content, path }) => ({ path, content })),
    gone,
    lastPushed,
    planner: {
      ...planner,
      plan: async (...asked) => {
        const planned = await planner.plan(...asked)
        found.units = planned.units
        return planned
      },
    },
  }
}

async function send(sending: Sending): Promise<PushOutcome> {
  const { context, lease, order, place, row, sent } = sending
  const { branch, dry_run, id, message, overwrite } = row
  const { git, project } = order
  const contents = chooseContents(sending) ?? (await unitContents(sending))
  const credentials = pushCredentials(gitSecretOf(project, context.cipher))
  return await pushFiles({
    remote: git.remote,
    branch,
    ...(git.branch !== undefined && { baseBranch: git.branch }),
    message,
    trailers: { 'Stagecraft-Push': id },
    author: {
      name: git.authorName ?? 'Stagecraft',
      email: git.authorEmail ?? 'stagecraft@localhost',
    },
    ...contents,
    sent: [...sent],
    onSend: (commit) => remember(commit, { lease, place, sent }),
    overwrite: overwrite === 1,
    dryRun: dry_run === 1,
    ...(credentials && { credentials }),
    policy: pushPolicy(context.settings),
    signal: lease.signal,
    folder: context.settings.folder,
  })
}

/** The number of generations of a unit that are searched for the original of an edited text. */
const GENERATIONS = 50

async function readGenerated({ store }: ServiceContext, unitId: string): Promise<readonly string[]> {
  const rows = await filesWithTexts(store.db)
    .innerJoin('generations', 'generations.id', 'generated_files.generation_id')
    .select('content')
    .where('generations.unit_id', '=', unitId)
    .where('generated_files.path', 'like', '%.sql')
    .orderBy('generations.id', 'desc')
    .limit(GENERATIONS)
    .execute()
  return rows.map(({ content }) => content)
}

/** Records the commit and contents to send, so that a repeated push recognises them. */
async function remember(
  commit: SentCommit,
  { lease, place, sent }: Pick<Sending, 'lease' | 'place' | 'sent'>,
): Promise<void> {
  await lease.write(async (tx): Promise<JobResult<'pushes'>> => {
    await addPushed(tx.db, place, commit.pushed)
    return { sent: writeSent([...sent, commit]) }
  })
  sent.push(commit)
}
