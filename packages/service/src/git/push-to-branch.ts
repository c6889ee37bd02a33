import { StagecraftError } from '@stagecraft/spec'
import { type BranchHead, readBranchHead } from './branch-head.ts'
import { HISTORY, fetchBase, fetchHistory, initClone } from './fetch-base.ts'
import { type PlannedChange, planChange } from './plan-change.ts'
import { planProjectChange } from './plan-project.ts'
import { type ByteFile, byteFile, type PlannedWrite } from './plan-commit.ts'
import type { PushOptions, PushOutcome, PushedFile, SentCommit } from './push-options.ts'
import type { Git } from './run-git.ts'
import { findFailure, gitFailed, pushFailed } from './failures.ts'

/** The depths of history to search, in steps: a recent push is near the head. */
const DEPTHS = [64, 2048, 32_768] as const

interface FindLandedOptions {
  readonly sent: readonly SentCommit[]
  readonly trailers: Readonly<Record<string, string>>
}

/**
 * Finds the commit of this push in the branch: a sent one, or the result of a rebase or squash that kept its message.
 * Returns undefined if no commit arrived, or if it was removed.
 */
async function findLanded(
  git: Git,
  { from }: BranchHead,
  { sent, trailers }: FindLandedOptions,
): Promise<SentCommit | undefined> {
  const newest = sent.at(-1)
  if (from === undefined || newest === undefined) return undefined
  const bases = new Set(sent.flatMap(({ base }) => base ?? []))
  // Nothing has arrived since.
  if (newest.base === from.id) return undefined
  for (const depth of DEPTHS) {
    const { isWhole } = await fetchHistory(git, { ...from, depth })
    const commits = await readHistory(git, trailers)
    const exact = sent.find(({ commit }) => commits.ids.has(commit))
    if (exact) return exact
    if (commits.rewritten !== undefined) return { ...newest, commit: commits.rewritten }
    if (isWhole || [...bases].some((base) => commits.ids.has(base))) return undefined
  }
  return undefined
}

interface History {
  readonly ids: ReadonlySet<string>
  /** Finds the newest commit with the trailers. */
  readonly rewritten: string | undefined
}

async function readHistory(git: Git, trailers: Readonly<Record<string, string>>): Promise<History> {
  const ids = await git.read(['rev-list', HISTORY])
  const [first] = Object.entries(trailers)
  if (first === undefined) return { ids: linesOf(ids), rewritten: undefined }
  const [name, value] = first
  const grep = ['--fixed-strings', `--grep=${name}: ${value.trim()}`]
  const output = await git.read(['log', '-z', '--format=%H%n%B', ...grep, HISTORY])
  const found = output
    .split('\0')
    .map((text) => ({ id: text.slice(0, text.indexOf('\n')), message: text.slice(text.indexOf('\n') + 1) }))
    .find(({ message }) => holdsTrailers(message, trailers))
  return { ids: linesOf(ids), rewritten: found?.id }
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(text.split('\n').filter((line) => line !== ''))
}

/** The number of attempts before a push gives up because the branch keeps moving. */
const ATTEMPTS = 4

interface Attempt extends PushOptions {
  readonly bytes: readonly ByteFile[]
  /** The commits that this run and earlier ones sent. One may have arrived although the response was lost. */
  readonly sent: SentCommit[]
}

/**
 * Commits and pushes; retries if someone else pushed first.
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
    `others changed the branch ${options.branch} during each of ${ATTEMPTS} attempts; push again`,
    { details: { reason: 'diverged', suggestion: 'push again' } },
  )
}

async function pushOnce(git: Git, attempt: Attempt): Promise<PushOutcome | Exclude<SendResult, 'accepted'>> {
  const { branch, dryRun = false, now = Date.now, onSend, sent, trailers = {} } = attempt
  const head = await readBranchHead(git, attempt)
  const landed = await findLanded(git, head, { sent, trailers })
  if (landed) return { outcome: 'pushed', branch, ...landed }
  const parent = await openBase(git, head)
  const { removed, writes, ...planned } = await planAll(git, attempt, parent)
  if (dryRun) return { outcome: 'planned', commit: head.exists ? parent : undefined, ...planned }
  if (writes.length === 0 && removed.length === 0)
    return unchanged(planned, attempt, { head: parent, exists: head.exists })
  const commit = await writeCommit(git, { ...attempt, writes, removed, parent, time: now() })
  const files = writes.map(({ change, file }) => describe(file, change))
  const next: SentCommit = {
    commit,
    ...(parent !== undefined && { base: parent }),
    files,
    removed,
    ...planned,
  }
  sent.push(next)
  await onSend?.(next)
  const result = await sendCommit(git, { branch, commit })
  return result === 'accepted' ? { outcome: 'pushed', branch, ...next } : result
}

/** Plans a dbt project as on disk; without one, files are written unchanged. */
async function planAll(git: Git, attempt: Attempt, parent: string | undefined): Promise<PlannedChange> {
  const { planner } = attempt
  const inProject =
    planner && parent !== undefined
      ? await planProjectChange(git, { ...attempt, planner, commit: parent })
      : undefined
  return inProject ?? (await planChange(git, { ...attempt, parent }))
}

async function openBase(git: Git, { from }: BranchHead): Promise<string | undefined> {
  if (from !== undefined) return await fetchBase(git, from)
  await initClone(git, 'sha1')
  return undefined
}

type Planned = Omit<PlannedChange, 'writes' | 'removed'>

/**
 * Returns the result if the branch has everything. If a commit was sent, it arrived, and the branch was rewritten
 * since.
 */
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
          'push to a branch that is not protected, or ask for the permission',
        ]
  return new StagecraftError('INVALID_REQUEST', `cannot push to the branch: ${what}; ${suggestion}`, {
    details: { reason: 'rejected', suggestion },
  })
}

interface CommitOptions extends Pick<PushOptions, 'author' | 'message' | 'trailers'> {
  readonly writes: readonly PlannedWrite[]
  /** Paths of files. */
  readonly removed: readonly string[]
  /** The parent commit; undefined for the first one. */
  readonly parent: string | undefined
  readonly time: number
}

/**
 * Writes a commit into the clone. One process for any number of files, which reads only the folders that they are in;
 * and no file of the clone is touched, so that filters, line ends and links of the repository do nothing.
 *
 * @see https://git-scm.com/docs/git-fast-import
 */
async function writeCommit(git: Git, options: CommitOptions): Promise<string> {
  const output = await git.read(['fast-import', '--quiet', '--force', '--done', '--date-format=raw'], {
    input: Buffer.concat(importStream(options)),
  })
  return output.trim()
}

function importStream(options: CommitOptions): readonly Buffer[] {
  const { author, parent, removed, time, writes } = options
  const who = `${author.name.trim()} <${author.email.trim()}> ${Math.floor(time / 1000)} +0000`
  const text = (lines: string): Buffer => Buffer.from(lines)
  return [
    text(`commit refs/stagecraft/commit\nmark :1\nauthor ${who}\ncommitter ${who}\n`),
    data(Buffer.from(commitMessage(options))),
    text(parent === undefined ? '' : `from ${parent}\n`),
    ...removed.map((path) => text(`D ${quote(path)}\n`)),
    ...writes.flatMap(({ file, mode }) => [
      text(`M ${mode} inline ${quote(file.path)}\n`),
      data(file.content),
    ]),
    text('\nget-mark :1\ndone\n'),
  ]
}

function data(content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from('\n')])
}

/** Control characters are in no path. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, '\\$&')}"`
}

/** `moved`: the branch has moved past the parent commit. `rejected`: the server refuses it. */
type SendResult = 'accepted' | 'moved' | 'rejected' | 'checked_out'

/** Matches the messages of git and servers for a branch that has moved since. */
const MOVED =
  /fetch first|non-fast-forward|stale info|needs force|cannot lock ref|failed to (?:update ref|lock)|incorrect old value|reference already exists|is at [\da-f]+ but expected/i

/**
 * Sends one commit as one change of one ref, which the server makes or does not make. It is never forced.
 *
 * @throws {StagecraftError} CONNECTION_FAILED
 */
async function sendCommit(
  git: Git,
  { branch, commit }: { readonly branch: string; readonly commit: string },
): Promise<SendResult> {
  const parameters = ['push', '--porcelain', '--no-verify', '--no-follow-tags', 'origin']
  const { errors, output, status } = await git.run([...parameters, `${commit}:refs/heads/${branch}`])
  if (status === 0) return 'accepted'
  const refusal = output.split('\n').find((line) => line.startsWith('!'))
  if (refusal === undefined || refusal.includes('(unpacker error)')) {
    const failure = findFailure(errors)
    throw failure === undefined ? gitFailed('push', status) : pushFailed(failure)
  }
  if (MOVED.test(refusal)) return 'moved'
  return refusal.includes('currently checked out') ? 'checked_out' : 'rejected'
}

/** Returns the message to commit: Unix line ends, and the trailers as a separate paragraph. */
export function commitMessage({ message, trailers = {} }: Pick<PushOptions, 'message' | 'trailers'>): string {
  const text = message.replaceAll('\r\n', '\n').trim()
  const lines = trailerLines(trailers)
  return lines.length === 0 ? `${text}\n` : `${text}\n\n${lines.join('\n')}\n`
}

/** Returns true if a message has all of the trailers, anywhere: a squash joins several messages. */
export function holdsTrailers(message: string, trailers: Readonly<Record<string, string>>): boolean {
  const found = new Set(message.split('\n').map((line) => line.trim()))
  const lines = trailerLines(trailers)
  return lines.length > 0 && lines.every((line) => found.has(line))
}

function trailerLines(trailers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(trailers).map(([name, value]) => `${name}: ${value.trim()}`)
}
