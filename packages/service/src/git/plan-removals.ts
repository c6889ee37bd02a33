import { hashContents } from './hash-contents.ts'
import { isFile } from './plan-commit.ts'
import type { KeptFile, PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'
import type { TreeEntry } from './tree-entries.ts'

/** A file that was pushed from here as it stands in the branch. */
export interface Removal {
  readonly path: string
  readonly id: string
}

export interface RemovalPlan {
  readonly removals: readonly Removal[]
  readonly kept: readonly KeptFile[]
}

/** Separates files that are still ours from those that somebody else changed. Files that are gone are in neither. */
export async function planRemovals(
  git: Git,
  entries: ReadonlyMap<string, TreeEntry>,
  { gone, lastPushed }: Pick<PushOptions, 'gone' | 'lastPushed'>,
): Promise<RemovalPlan> {
  const found = (gone?.paths ?? []).flatMap((path) => {
    const entry = entries.get(path)
    return entry === undefined || entry.type === 'tree' ? [] : [{ path, entry }]
  })
  const files = found.filter(({ entry }) => isFile(entry))
  const hashes = await hashContents(
    git,
    files.map(({ entry }) => entry.id),
  )
  const isOurs = ({ entry, path }: (typeof found)[number]): boolean =>
    isFile(entry) && [lastPushed.get(path) ?? []].flat().includes(hashes.get(entry.id) ?? '')
  return {
    removals: found.filter(isOurs).map(({ entry, path }) => ({ path, id: entry.id })),
    kept: found.filter((one) => !isOurs(one)).map(({ path }) => ({ path, reason: 'changed' })),
  }
}
