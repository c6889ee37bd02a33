import { StagecraftError } from '@stagecraft/spec'
import { type BranchHead, readBranchHead } from './branch-head.ts'
import { checkForeign } from './check-foreign.ts'
import { checkPush } from './check-push.ts'
import { pushFailed } from './failures.ts'
import { fetchBase, initClone } from './fetch-base.ts'
import { gitEnvironment } from './git-environment.ts'
import { requireGit } from './git-version.ts'
import { readOwnCommit } from './own-commit.ts'
import { type ByteFile, bytesOf, planCommit } from './plan-commit.ts'
import { withPushHome } from './push-home.ts'
import type { PushedFile, PushOptions, PushOutcome } from './push-options.ts'
import type { Remote } from './remote.ts'
import { resolveRemote } from './resolve-remote.ts'
import { createGit, type Git } from './run-git.ts'
import { sendCommit, type SendResult } from './send-commit.ts'
import { readTreeEntries } from './tree-entries.ts'
import { writeCommit } from './write-commit.ts'

const DEFAULT_TIMEOUT_MS = 120_000
/** How often the branch may move before a push gives up. */
const ATTEMPTS = 4

/**
 * Commits files to a branch of a Git repository, through a clone that is made for it and removed. Files that stand in
 * the branch with other content are replaced only when that content was pushed from here, or with `overwrite`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for what cannot be pushed: `details.reason` is `files_changed` or
 * `path_blocked` with `details.files`, `diverged`, `rejected`, `branch` or `host_closed`, or there are faults.
 * CONNECTION_FAILED when git or the server does not get there; `details.reason` says why.
 * When `signal` ends it, the reason of the signal.
 */
export async function pushFiles(options: PushOptions): Promise<PushOutcome> {
  const remote = checkPush(options)
  const { signal, timeoutMs = DEFAULT_TIMEOUT_MS } = options
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  const stop = AbortSignal.any(signal === undefined ? [deadline] : [deadline, signal])
  try {
    return await pushThroughClone(remote, { ...options, signal: stop })
  } catch (error) {
    if (stop.aborted && error === stop.reason && deadline.reason === error) throw pushFailed('timeout')
    throw error
  }
}

type SignalledOptions = PushOptions & { readonly signal: AbortSignal }

async function pushThroughClone(remote: Remote, options: SignalledOptions): Promise<PushOutcome> {
  const { credentials, folder, lookup, policy, programs, signal } = options
  const addresses = await resolveRemote(remote, { policy, lookup, signal })
  const work = async (home: string): Promise<PushOutcome> => {
    const environment = gitEnvironment(remote, { ...options, home, addresses })
    const git = createGit({ program: programs?.git ?? 'git', environment, folder: `${home}/clone`, signal })
    await requireGit(git)
    return await pushWithRetries(git, options)
  }
  return await withPushHome(work, { folder, credentials })
}

async function pushWithRetries(git: Git, options: PushOptions): Promise<PushOutcome> {
  const files = bytesOf(options.files)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const result = await pushOnce(git, { ...options, bytes: files })
    if (typeof result === 'object') return result
    if (result !== 'moved') throw refused(result)
  }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `the branch ${options.branch} was changed by somebody else during each of ${ATTEMPTS} attempts; push again`,
    { details: { reason: 'diverged', suggestion: 'push again' } },
  )
}

async function pushOnce(
  git: Git,
  options: PushOptions & { readonly bytes: readonly ByteFile[] },
): Promise<PushOutcome | Exclude<SendResult, 'accepted'>> {
  const { branch, bytes, now = Date.now } = options
  const head = await readBranchHead(git, options)
  const parent = await openBase(git, head)
  const paths = bytes.map(({ path }) => path)
  const entries = parent === undefined ? new Map() : await readTreeEntries(git, { commit: parent, paths })
  const plan = planCommit(bytes, entries)
  await checkForeign(git, plan, options)
  const pushed = new Map(bytes.map(({ path, sha256 }) => [path, sha256]))
  if (plan.writes.length === 0) {
    return await unchanged(git, { ...options, pushed, head: head.exists ? parent : undefined })
  }
  const commit = await writeCommit(git, { ...options, writes: plan.writes, parent, time: now() })
  const result = await sendCommit(git, { branch, commit })
  if (result !== 'accepted') return result
  const files = plan.writes.map(({ change, file }) => describe(file, change))
  return { outcome: 'pushed', commit, branch, files, pushed }
}

async function openBase(git: Git, { from }: BranchHead): Promise<string | undefined> {
  if (from !== undefined) return await fetchBase(git, from)
  await initClone(git, 'sha1')
  return undefined
}

interface UnchangedOptions extends PushOptions {
  readonly bytes: readonly ByteFile[]
  readonly pushed: ReadonlyMap<string, string>
  /** The head of the branch, where there is one. */
  readonly head: string | undefined
}

async function unchanged(git: Git, options: UnchangedOptions): Promise<PushOutcome> {
  const { branch, bytes, head, pushed, trailers = {} } = options
  const own = head === undefined ? undefined : await readOwnCommit(git, { head, branch, trailers })
  if (head === undefined || own === undefined) return { outcome: 'unchanged', commit: head, pushed }
  const files = bytes.flatMap((file) => {
    const change = own.get(file.path)
    return change === undefined ? [] : [describe(file, change)]
  })
  return { outcome: 'pushed', commit: head, branch, files, pushed }
}

function describe({ content, path }: ByteFile, change: PushedFile['change']): PushedFile {
  const text = content.toString()
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return { path, change, lines }
}

function refused(result: 'rejected' | 'checked_out'): StagecraftError {
  const [what, suggestion] =
    result === 'checked_out'
      ? ['the branch is checked out in the remote', 'push to a bare repository or to another branch']
      : [
          'a rule or a hook of the server rejects it',
          'push to a branch that is not protected, or ask for the right',
        ]
  return new StagecraftError('INVALID_REQUEST', `cannot push to the branch: ${what}; ${suggestion}`, {
    details: { reason: 'rejected', suggestion },
  })
}
