import type { BranchHead } from './branch-head.ts'
import type { Git } from './run-git.ts'

/** The ref in the clone of the commit to build on. */
const BASE = 'refs/stagecraft/base'

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none']

/**
 * Creates the clone, or reuses it. The clone is bare, so no file of the repository is written. It has one commit and, if
 * the server supports partial clones, no contents.
 *
 * @returns The id of the commit, which may be newer than the requested one.
 */
export async function fetchBase(git: Git, { ref, id }: NonNullable<BranchHead['from']>): Promise<string> {
  await initClone(git, id.length === 64 ? 'sha256' : 'sha1')
  await git.read([...FETCH, '--depth=1', 'origin', `+${ref}:${BASE}`])
  const commit = await git.read(['rev-parse', '--verify', '--quiet', `${BASE}^{commit}`])
  return commit.trim()
}

/** It may exist from an earlier attempt. */
export async function initClone(git: Git, format: 'sha1' | 'sha256'): Promise<void> {
  await git.read(['init', '--quiet', '--bare', '--template=', `--object-format=${format}`])
}

/** The ref in the clone of the branch's history. */
export const HISTORY = 'refs/stagecraft/history'

/** Fetches the newest commits of a branch, without files and folders if the server supports that. */
export async function fetchHistory(
  git: Git,
  { depth, id, ref }: NonNullable<BranchHead['from']> & { readonly depth: number },
): Promise<{ readonly isWhole: boolean }> {
  await initClone(git, id.length === 64 ? 'sha256' : 'sha1')
  const what = ['--filter=tree:0', `--depth=${depth}`, 'origin', `+${ref}:${HISTORY}`]
  await git.read([...FETCH.filter((flag) => !flag.startsWith('--filter')), ...what])
  return { isWhole: (await git.read(['rev-parse', '--is-shallow-repository'])).trim() === 'false' }
}

/** Fetches contents in one request. Contents that are present are not fetched again. */
export async function fetchContents(git: Git, ids: readonly string[]): Promise<void> {
  await git.read([...FETCH, '--stdin', 'origin'], { input: ids.map((id) => `${id}\n`).join('') })
}
