import { hasTrailers } from './commit-message.ts'
import { fetchParent } from './fetch-base.ts'
import type { Git } from './run-git.ts'

export interface OwnCommitOptions {
  readonly head: string
  readonly branch: string
  readonly trailers: Readonly<Record<string, string>>
}

/**
 * What the head of the branch changed, by path, when it is the commit of this very push, made by a process that did
 * not live to tell; undefined when it is another.
 */
export async function readOwnCommit(
  git: Git,
  { branch, head, trailers }: OwnCommitOptions,
): Promise<ReadonlyMap<string, 'added' | 'changed'> | undefined> {
  if (!hasTrailers(await git.read(['cat-file', 'commit', head]), trailers)) return undefined
  await fetchParent(git, branch)
  const output = await git.read([
    'diff-tree',
    '--root',
    '--no-commit-id',
    '--no-renames',
    '--name-status',
    '-r',
    '-z',
    head,
  ])
  const changes = output.matchAll(/([AMT])\0([^\0]+)\0/g)
  return new Map(
    [...changes].map(([, status, path = '']) => [path, status === 'A' ? 'added' : 'changed'] as const),
  )
}
