import type { BranchHead } from './branch-head.ts'
import { holdsTrailers } from './write-commit.ts'
import { fetchHistory, HISTORY } from './fetch-base.ts'
import type { SentCommit } from './push-options.ts'
import type { Git } from './run-git.ts'

/** The depths of history to search, in steps: a recent push is near the head. */
const DEPTHS = [64, 2048, 32_768] as const

export interface FindLandedOptions {
  readonly sent: readonly SentCommit[]
  readonly trailers: Readonly<Record<string, string>>
}

/**
 * The commit of this push that the branch has: one that was sent, or what somebody made of it by a rebase or a squash that
 * kept its message. Undefined when none of them arrived, or somebody took it away.
 */
export async function findLanded(
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
  /** The newest commit with the trailers. */
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
