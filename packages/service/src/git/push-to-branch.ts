import { StagecraftError } from '@stagecraft/spec'
import { type BranchHead, readBranchHead } from './branch-head.ts'
import { checkForeign } from './check-foreign.ts'
import { fetchBase, initClone } from './fetch-base.ts'
import { readOwnCommit } from './own-commit.ts'
import { type ByteFile, bytesOf, planCommit } from './plan-commit.ts'
import type { PushedFile, PushOptions, PushOutcome } from './push-options.ts'
import type { Git } from './run-git.ts'
import { sendCommit, type SendResult } from './send-commit.ts'
import { readTreeEntries } from './tree-entries.ts'
import { writeCommit } from './write-commit.ts'

/** How often the branch may move before a push gives up. */
const ATTEMPTS = 4

interface Attempt extends PushOptions {
  readonly bytes: readonly ByteFile[]
  readonly pushed: ReadonlyMap<string, string>
  /** What this run has sent, by commit: it may have landed though the answer was lost. */
  readonly sent: Map<string, PushOutcome>
}

/**
 * Commits and sends, again when somebody else was faster.
 *
 * @throws {StagecraftError}
 */
export async function pushToBranch(git: Git, options: PushOptions): Promise<PushOutcome> {
  const bytes = bytesOf(options.files)
  const pushed = new Map(bytes.map(({ path, sha256 }) => [path, sha256]))
  const attempt: Attempt = { ...options, bytes, pushed, sent: new Map() }
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const result = await pushOnce(git, attempt)
    if (typeof result === 'object') return result
    if (result !== 'moved') throw rejected(result)
  }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `the branch ${options.branch} was changed by somebody else during each of ${ATTEMPTS} attempts; push again`,
    { details: { reason: 'diverged', suggestion: 'push again' } },
  )
}

async function pushOnce(git: Git, attempt: Attempt): Promise<PushOutcome | Exclude<SendResult, 'accepted'>> {
  const { branch, bytes, now = Date.now, pushed, sent } = attempt
  const head = await readBranchHead(git, attempt)
  const parent = await openBase(git, head)
  const paths = bytes.map(({ path }) => path)
  const entries = parent === undefined ? new Map() : await readTreeEntries(git, { commit: parent, paths })
  const plan = planCommit(bytes, entries)
  await checkForeign(git, plan, attempt)
  if (plan.writes.length === 0) return await unchanged(git, attempt, head.exists ? parent : undefined)
  const commit = await writeCommit(git, { ...attempt, writes: plan.writes, parent, time: now() })
  const files = plan.writes.map(({ change, file }) => describe(file, change))
  const outcome: PushOutcome = { outcome: 'pushed', commit, branch, files, pushed }
  sent.set(commit, outcome)
  const result = await sendCommit(git, { branch, commit })
  return result === 'accepted' ? outcome : result
}

async function openBase(git: Git, { from }: BranchHead): Promise<string | undefined> {
  if (from !== undefined) return await fetchBase(git, from)
  await initClone(git, 'sha1')
  return undefined
}

/** The branch has it all: from before, from this run, or from one that did not live to tell. */
async function unchanged(
  git: Git,
  { branch, bytes, pushed, sent, trailers = {} }: Attempt,
  head: string | undefined,
): Promise<PushOutcome> {
  if (head === undefined) return { outcome: 'unchanged', commit: undefined, pushed }
  const landed = sent.get(head)
  if (landed !== undefined) return landed
  const own = await readOwnCommit(git, { head, branch, trailers })
  if (own === undefined) return { outcome: 'unchanged', commit: head, pushed }
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

function rejected(result: 'rejected' | 'checked_out'): StagecraftError {
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
