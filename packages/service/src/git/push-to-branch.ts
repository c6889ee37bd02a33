import { StagecraftError } from '@stagecraft/spec'
import { type BranchHead, readBranchHead } from './branch-head.ts'
import { fetchBase, initClone } from './fetch-base.ts'
import { findLanded } from './find-landed.ts'
import { planChange } from './plan-change.ts'
import { byteFile, type ByteFile } from './plan-commit.ts'
import type { PushedFile, PushOptions, PushOutcome, SentCommit } from './push-options.ts'
import type { Git } from './run-git.ts'
import { sendCommit, type SendResult, writeCommit } from './write-commit.ts'

/** The number of attempts before a push gives up because the branch keeps moving. */
const ATTEMPTS = 4

interface Attempt extends PushOptions {
  readonly bytes: readonly ByteFile[]
  /** The commits that this run and earlier ones sent: one may have arrived although the answer was lost. */
  readonly sent: SentCommit[]
}

/**
 * Commits and sends, again when somebody else was faster.
 *
 * @throws {StagecraftError}
 */
export async function pushToBranch(git: Git, options: PushOptions): Promise<PushOutcome> {
  const attempt: Attempt = {
    ...options,
    bytes: options.files.map(({ content, path }) => byteFile(path, content)),
    sent: [...(options.sent ?? [])],
  }
  for (let count = 1; count <= ATTEMPTS; count += 1) {
    const result = await pushOnce(git, attempt)
    if (typeof result === 'object') return result
    if (result !== 'moved') throw rejected(result)
  }
  throw new StagecraftError(
    'INVALID_REQUEST',
    `the branch ${options.branch} was changed by somebody else during all ${ATTEMPTS} attempts; push again`,
    { details: { reason: 'diverged', suggestion: 'push again' } },
  )
}

async function pushOnce(git: Git, attempt: Attempt): Promise<PushOutcome | Exclude<SendResult, 'accepted'>> {
  const { branch, now = Date.now, onSend, sent, trailers = {} } = attempt
  const head = await readBranchHead(git, attempt)
  const landed = await findLanded(git, head, { sent, trailers })
  if (landed) return { outcome: 'pushed', branch, ...landed }
  const parent = await openBase(git, head)
  const { kept, pushed, removed, skipped, writes } = await planChange(git, { ...attempt, parent })
  if (writes.length === 0 && removed.length === 0) {
    return unchanged({ kept, pushed, skipped }, attempt, { head: parent, exists: head.exists })
  }
  const commit = await writeCommit(git, { ...attempt, writes, removed, parent, time: now() })
  const files = writes.map(({ change, file }) => describe(file, change))
  const next: SentCommit = {
    commit,
    ...(parent !== undefined && { base: parent }),
    files,
    removed,
    kept,
    skipped,
    pushed,
  }
  sent.push(next)
  await onSend?.(next)
  const result = await sendCommit(git, { branch, commit })
  return result === 'accepted' ? { outcome: 'pushed', branch, ...next } : result
}

async function openBase(git: Git, { from }: BranchHead): Promise<string | undefined> {
  if (from !== undefined) return await fetchBase(git, from)
  await initClone(git, 'sha1')
  return undefined
}

type Planned = Pick<SentCommit, 'kept' | 'skipped' | 'pushed'>

/** The branch has it all. After something was sent, that arrived, and somebody has rewritten the branch since. */
function unchanged(
  planned: Planned,
  { branch, sent }: Attempt,
  { exists, head }: { readonly head: string | undefined; readonly exists: boolean },
): PushOutcome {
  const newest = sent.at(-1)
  if (newest && head !== undefined) return { outcome: 'pushed', branch, ...newest, ...planned, commit: head }
  return { outcome: 'unchanged', commit: exists ? head : undefined, ...planned }
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
