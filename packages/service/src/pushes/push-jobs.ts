import type { ServiceContext } from '../context.ts'
import { publish } from '../events/publish.ts'
import { pushFiles } from '../git/push-files.ts'
import type { PushFile, PushOutcome } from '../git/push-options.ts'
import type { HeldJob, JobKind } from '../jobs/job-kind.ts'
import { pushPolicy } from '../projects/git-faults.ts'
import { gitSecretOf } from '../projects/git-settings.ts'
import type { PushRow } from '../store/schema.ts'
import { filesToPush } from './files-to-push.ts'
import { pushCredentials } from './push-credentials.ts'
import { addPushed, keepPushed, type PushPlace, readPushed } from './push-ledger.ts'
import { type ProjectGit, readGit } from './read-git.ts'
import { unitIdsOf } from './to-push.ts'

/** Pushes of the newest files. */
export function pushJobs(context: ServiceContext): JobKind<'pushes'> {
  return { table: 'pushes', concurrency: 2, run: (row, held) => push(row, held, context) }
}

async function push(row: PushRow, held: HeldJob<'pushes'>, context: ServiceContext): Promise<void> {
  const { ids, store } = context
  const { branch, id, project_id: projectId } = row
  const settings = await readGit(store.db, projectId)
  const { signal } = held
  const place = { project_id: projectId, remote: settings.git.remote, branch }
  const lastPushed = await readPushed(store.db, place)
  const pushed = new Set(lastPushed.keys())
  const files = await filesToPush(context, { projectId, unitIds: unitIdsOf(row), pushed, signal })
  const outcome = await send(row, { context, files, lastPushed, place, settings, signal })
  await held.finish(async (transaction, now) => {
    await keepPushed(transaction, place, outcome.pushed)
    if (outcome.outcome === 'unchanged') return { outcome: 'unchanged', commit_id: outcome.commit ?? null }
    const { commit } = outcome
    const files_pushed = outcome.files.map(({ lines, path }) => ({ path, lines }))
    const duration_ms = now - (row.started_at ?? row.created_at)
    const data = { push_id: id, branch, commit, files_pushed, duration_ms }
    await publish(transaction, { projectId, event: 'push.completed', data }, { ids, now })
    return { outcome: 'pushed', commit_id: commit, files: JSON.stringify(outcome.files) }
  })
}

interface Sending {
  readonly context: ServiceContext
  readonly files: readonly PushFile[]
  readonly lastPushed: ReadonlyMap<string, readonly string[]>
  readonly place: PushPlace
  readonly settings: ProjectGit
  readonly signal: AbortSignal
}

async function send(
  { branch, id, message, overwrite }: PushRow,
  { context, files, lastPushed, place, settings: { git, project }, signal }: Sending,
): Promise<PushOutcome> {
  const { folder } = context.settings
  await context.store.transaction((transaction) => addPushed(transaction, place, files))
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
    lastPushed,
    overwrite: overwrite === 1,
    ...(credentials && { credentials }),
    policy: pushPolicy(context.settings),
    signal,
    folder,
  })
}
