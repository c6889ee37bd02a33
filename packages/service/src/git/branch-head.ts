import { StagecraftError } from '@stagecraft/spec'
import { foldersOf } from './file-path.ts'
import type { PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'

/** The head that a commit builds on. */
export interface BranchHead {
  /** The ref that it builds on; undefined in an empty repository. */
  readonly from: { readonly ref: string; readonly id: string } | undefined
  /** True if the branch exists, and `from` is its head. */
  readonly exists: boolean
}

type Branches = Pick<PushOptions, 'branch' | 'baseBranch'>

const ref = (branch: string): string => `refs/heads/${branch}`

/**
 * Asks the remote for the head of a branch, or the head from which to create it.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a branch that cannot be created; CONNECTION_FAILED if the
 * remote fails.
 */
export async function readBranchHead(git: Git, { branch, baseBranch }: Branches): Promise<BranchHead> {
  const wanted = ref(branch)
  const base = baseBranch === undefined ? 'HEAD' : ref(baseBranch)
  const refs = await listRefs(git, [wanted, base, `${wanted}/*`, ...foldersOf(branch).map(ref)])
  const head = refs.get(wanted)
  if (head !== undefined) return { from: { ref: wanted, id: head }, exists: true }
  const inTheWay = [...refs.keys()].find(
    (name) => name.startsWith(`${wanted}/`) || wanted.startsWith(`${name}/`),
  )
  if (inTheWay !== undefined) {
    throw wrongBranch(
      'branch',
      'a name that does not collide with other branches',
      `a name that collides with ${inTheWay}`,
    )
  }
  const id = refs.get(base)
  if (id !== undefined) return { from: { ref: base, id }, exists: false }
  const isEmpty = (await listRefs(git, ['refs/heads/*'])).size === 0
  if (isEmpty) return { from: undefined, exists: false }
  throw baseBranch === undefined
    ? wrongBranch(
        'baseBranch',
        'a branch to start from, because the repository has no default branch',
        'none',
      )
    : wrongBranch('baseBranch', 'a branch of the repository', JSON.stringify(baseBranch))
}

/**
 * Finds a branch of the remote; the default branch if none is named.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a branch that is not there; CONNECTION_FAILED
 */
export async function findBranch(
  git: Git,
  branch: string | undefined,
): Promise<NonNullable<BranchHead['from']>> {
  const name = branch === undefined ? 'HEAD' : ref(branch)
  const id = (await listRefs(git, [name])).get(name)
  if (id !== undefined) return { ref: name, id }
  throw branch === undefined
    ? wrongBranch('branch', 'a branch, because the repository has no default branch', 'none')
    : wrongBranch('branch', 'a branch of the repository', JSON.stringify(branch))
}

/** Returns ids by name. The server may list more names than the patterns, because patterns match suffixes. */
async function listRefs(git: Git, patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const output = await git.read(['ls-remote', '--quiet', 'origin', ...patterns])
  const rows = output.split('\n').flatMap((row) => {
    const [, id, name] = /^([\da-f]{40}|[\da-f]{64})\t(.+)$/.exec(row) ?? []
    return id === undefined || name === undefined ? [] : [[name, id] as const]
  })
  return new Map(rows.filter(([name]) => name === 'HEAD' || name.startsWith('refs/heads/')))
}

function wrongBranch(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received }, { details: { reason: 'branch' } })
}
