import { findFailure, gitFailed, pushFailed } from './failures.ts'
import type { PlannedWrite } from './plan-commit.ts'
import type { PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'

interface CommitOptions extends Pick<PushOptions, 'author' | 'message' | 'trailers'> {
  readonly writes: readonly PlannedWrite[]
  /** Paths of files. */
  readonly removed: readonly string[]
  /** The commit to build on; undefined for a first one. */
  readonly parent: string | undefined
  readonly time: number
}

/**
 * Writes a commit into the clone. One process for any number of files, which reads only the folders that they are in;
 * and no file of the clone is touched, so that filters, line ends and links of the repository do nothing.
 *
 * @see https://git-scm.com/docs/git-fast-import
 */
export async function writeCommit(git: Git, options: CommitOptions): Promise<string> {
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

/** `moved`: the branch is no longer what the commit builds on. `rejected`: the server does not want it. */
export type SendResult = 'accepted' | 'moved' | 'rejected' | 'checked_out'

/** Matches the messages of git and servers for a branch that somebody else changed meanwhile. */
const MOVED =
  /fetch first|non-fast-forward|stale info|needs force|cannot lock ref|failed to (?:update ref|lock)|incorrect old value|reference already exists|is at [\da-f]+ but expected/i

/**
 * Sends one commit as one change of one ref, which the server makes or does not make. It is never forced.
 *
 * @throws {StagecraftError} CONNECTION_FAILED
 */
export async function sendCommit(
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

/** The message as it is committed: line ends of Unix, and the trailers as a paragraph of their own. */
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
