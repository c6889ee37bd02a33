import { checkPush } from './check-push.ts'
import { pushFailed } from './failures.ts'
import { gitEnvironment } from './git-environment.ts'
import { type PushHome, withPushHome } from './push-home.ts'
import type { PushOptions, PushOutcome } from './push-options.ts'
import { pushToBranch } from './push-to-branch.ts'
import type { Remote } from './remote.ts'
import { resolveRemote } from './resolve-remote.ts'
import { createGit, type Git } from './run-git.ts'

const DEFAULT_TIMEOUT_MS = 120_000

/**
 * Commits files to a branch of a Git repository, through a clone that is made for it and removed. Files that stand in
 * the branch with other content are replaced only when that content was pushed from here, or with `overwrite`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for what cannot be pushed: `details.reason` is `files_changed`,
 * `path_blocked`, `defined_twice` or `source_needed` with `details.files`, `diverged`, `rejected`, `branch` or `host_closed`, or there are faults.
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
    if (deadline.aborted && error === deadline.reason) throw pushFailed('timeout')
    throw error
  }
}

type SignalledOptions = PushOptions & { readonly signal: AbortSignal }

async function pushThroughClone(remote: Remote, options: SignalledOptions): Promise<PushOutcome> {
  const { credentials, folder, lookup, policy, programs, signal } = options
  const addresses = await resolveRemote(remote, { policy, lookup, signal })
  const work = async ({ home, keyFile, watch }: PushHome): Promise<PushOutcome> => {
    const environment = gitEnvironment(remote, { ...options, home, keyFile, addresses })
    const program = programs?.git ?? 'git'
    const git = createGit({ program, environment, folder: `${home}/clone`, signal, watch })
    await requireGit(git)
    return await pushToBranch(git, options)
  }
  return await withPushHome(work, { folder, credentials })
}

/** Older ones read no settings from the environment, so that what they must not do would not reach them. */
const OLDEST = [2, 31] as const

/** @throws {StagecraftError} CONNECTION_FAILED for a git that is missing or too old. */
async function requireGit(git: Git): Promise<void> {
  const printed = await git.read(['version'])
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(printed) ?? []
  const [oldestMajor, oldestMinor] = OLDEST
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor)
  if (isOld) throw pushFailed('git_too_old')
}
