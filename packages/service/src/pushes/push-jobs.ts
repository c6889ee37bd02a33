import { sql } from 'kysely'
import type { Change } from '../change.ts'
import type { ServiceContext } from '../context.ts'
import { mayHaveArrived } from '../git/failures.ts'
import { pushFiles } from '../git/push-files.ts'
import type { PushOutcome, SentCommit } from '../git/push-options.ts'
import { TryAgain } from '../jobs/do-job.ts'
import type { JobKind } from '../jobs/job-kind.ts'
import type { JobResult, Lease } from '../jobs/lease.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { gitSecretOf } from '../projects/git-settings.ts'
import type { PushRow } from '../store/schema.ts'
import { filesToPush } from './files-to-push.ts'
import { pushCredentials, type PushOrder, readOrder } from './push-order.ts'
import { addPushed, dropPushed, keepPushed, type PushPlace, readPushed } from './push-ledger.ts'
import { dropSnapshot, readSnapshot } from './push-snapshot.ts'
import { readSent, unitIdsOf, writeSent } from './to-push.ts'

/** A push waits for those to the same branch that were asked for before it: also for one that is done again. */
const IN_ORDER = sql<boolean>`not exists (
  select 1 from pushes as earlier
  where earlier.state in ('queued', 'running')
    and earlier.project_id = pushes.project_id and earlier.branch = pushes.branch
    and (earlier.created_at < pushes.created_at
      or (earlier.created_at = pushes.created_at and earlier.id < pushes.id)))`

/** The number of attempts. It is high because only another attempt can find a commit that arrived. */
const ATTEMPTS = 10

/** Pushes, of one branch one after the other. */
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
  try {
    const outcome = await send({ row, lease, context, order, place, sent })
    await lease.finish(async (tx) => {
      await keepPushed(tx.db, place, outcome.pushed)
      await dropSnapshot(tx.db, row.id)
      const notPushed = { kept: JSON.stringify(outcome.kept), skipped: JSON.stringify(outcome.skipped) }
      if (outcome.outcome === 'unchanged')
        return { outcome: 'unchanged', commit_id: outcome.commit ?? null, ...notPushed, sent: null }
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

/** The server may have taken the commit and not come to say so. */
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
  /** The commits that were about to be sent so far; new ones are appended. */
  readonly sent: SentCommit[]
}

async function send({ context, lease, order, place, row, sent }: Sending): Promise<PushOutcome> {
  const { branch, id, message, overwrite } = row
  const { git, project, settings } = order
  const { signal } = lease
  const isPartial = unitIdsOf(row) !== undefined
  const lastPushed = await readPushed(context.store.db, place, { isPartial })
  const pushed = new Set(lastPushed.keys())
  const snapshot = await readSnapshot(context.store.db, id)
  const { files, gone } = await filesToPush(snapshot, { isPartial, pushed, settings, signal })
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
    files: files.map(({ content, path }) => ({ path, content })),
    gone,
    lastPushed,
    sent: [...sent],
    onSend: (commit) => remember(commit, { lease, place, sent }),
    overwrite: overwrite === 1,
    ...(credentials && { credentials }),
    policy: pushPolicy(context.settings),
    signal,
    folder: context.settings.folder,
  })
}

/** Writes down what is about to be sent: who does the push again has to know it, and that these contents are ours. */
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
