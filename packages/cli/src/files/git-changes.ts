import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { type FileTree, memoryTree } from '@stagecraft/dbt'
import { StagecraftError } from '@stagecraft/spec'

/** The files that differ from a commit, and the project at that commit. */
export interface GitChanges {
  /** Returns true if a file was added or changed, by its path in the project. */
  readonly isChanged: (path: string) => boolean
  /** Reads the project at the commit. */
  readonly before: () => FileTree
}

/** The files that rules read; all others are left out of the tree of a commit. */
const READ = /\.(?:sql|ya?ml|md|py|csv)$/i

/** Larger than the text files of the largest projects. */
const MAX_BYTES = 1 << 30

/**
 * Finds the changes of a project since the commit at which the current branch left `ref`, including uncommitted ones.
 *
 * @param root The folder of the project.
 * @param ref A branch, tag or commit.
 * @throws {StagecraftError} INVALID_REQUEST for an unknown ref, or for a project outside a repository.
 */
export function gitChanges(root: string, ref: string): GitChanges {
  const commit = baseOf(root, ref)
  const changed = splitNames(
    git(root, ['diff', '--name-only', '-z', '--relative', '--no-renames', '--diff-filter=d', commit, '--']),
  )
  const added = splitNames(git(root, ['ls-files', '-z', '--others', '--exclude-standard']))
  const paths = new Set([...changed, ...added])
  return { isChanged: (path) => paths.has(path), before: () => treeOf(root, commit) }
}

/** Returns the common commit of two histories; the ref itself if there is none, as in a shallow clone. */
function baseOf(root: string, ref: string): string {
  const found = run(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
  if (found.status !== 0) throw unknownRef(root, ref)
  const commit = found.stdout.toString('utf8').trim()
  const base = run(root, ['merge-base', commit, 'HEAD'])
  return base.status === 0 ? base.stdout.toString('utf8').trim() : commit
}

/** Describes what is missing: the repository, its first commit, or the ref. */
function unknownRef(root: string, ref: string): StagecraftError {
  git(root, ['rev-parse', '--git-dir'])
  if (run(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).status !== 0)
    return StagecraftError.invalid(
      { path: '--changed', expected: 'a git repository with a commit', received: 'one without any' },
      { suggestion: 'commit first; without --changed, lint needs no git' },
    )
  return StagecraftError.invalid(
    { path: '--changed', expected: 'a branch, tag or commit that git has here', received: ref },
    {
      suggestion:
        'write --changed=ref with an equals sign, and fetch the branch first (in CI: a full checkout)',
    },
  )
}

/** Reads the files of a commit below a folder in two calls of git. */
function treeOf(root: string, commit: string): FileTree {
  const entries = splitNames(git(root, ['ls-tree', '-r', '-z', commit, '--', '.'])).flatMap((line) => {
    const [, type, id, path] = /^\d+ (\w+) (\w+)\t(.*)$/s.exec(line) ?? []
    return type === 'blob' && id !== undefined && path !== undefined && READ.test(path) ? [{ id, path }] : []
  })
  const ids = entries.map(({ id }) => `${id}\n`).join('')
  const contents = readBatch(git(root, ['cat-file', '--batch'], ids))
  return memoryTree(Object.fromEntries(entries.map(({ path }, index) => [path, contents[index] ?? ''])))
}

/** Splits the output of `git cat-file --batch`: for each object a line with the length, the content and a newline. */
function readBatch(output: Buffer): readonly Buffer[] {
  const contents: Buffer[] = []
  for (let start = 0; start < output.length;) {
    const end = output.indexOf('\n', start)
    const length = Number(output.toString('latin1', start, end).split(' ')[2])
    if (!Number.isInteger(length)) break
    contents.push(output.subarray(end + 1, end + 1 + length))
    start = end + 1 + length + 1
  }
  return contents
}

function splitNames(output: Buffer): readonly string[] {
  return output.toString('utf8').split('\0').filter(Boolean)
}

function git(root: string, parameters: readonly string[], input = ''): Buffer {
  const { error, status, stderr, stdout } = run(root, parameters, input)
  if (status === 0) return stdout
  const reason = error?.message ?? stderr.toString('utf8').trim()
  throw StagecraftError.invalid(
    { path: '--changed', expected: 'a project in a git repository', received: reason },
    { suggestion: 'without --changed, lint needs no git' },
  )
}

function run(root: string, parameters: readonly string[], input = ''): SpawnSyncReturns<Buffer> {
  return spawnSync('git', ['-C', root, ...parameters], {
    input,
    maxBuffer: MAX_BYTES,
    env: { ...process.env, LC_ALL: 'C' },
  })
}
