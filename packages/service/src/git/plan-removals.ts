import { fileState } from '@stagecraft/dbt'
import { hashContents } from './hash-contents.ts'
import { isFile } from './plan-commit.ts'
import type { KeptFile, PushOptions } from './push-options.ts'
import type { Git } from './run-git.ts'
import type { TreeEntry } from './tree-entries.ts'

/** A file that was pushed from here, and its current entry in the branch. */
export interface Removal {
  readonly path: string
  readonly id: string
}

export interface RemovalPlan {
  readonly removals: readonly Removal[]
  readonly kept: readonly KeptFile[]
}

/** Separates files with pushed content from those that people changed. Deleted files are in neither list. */
export async function planRemovals(
  git: Git,
  entries: ReadonlyMap<string, TreeEntry>,
  { gone, lastPushed }: Pick<PushOptions, 'gone' | 'lastPushed'>,
): Promise<RemovalPlan> {
  const found = (gone?.paths ?? []).flatMap((path) => {
    const entry = entries.get(path)
    return entry === undefined || entry.type === 'tree' ? [] : [{ path, entry }]
  })
  const ours = await ownFiles(git, found, lastPushed)
  const isOurs = ({ path }: PresentFile): boolean => ours.has(path)
  return {
    removals: found.filter(isOurs).map(({ entry, path }) => ({ path, id: entry.id })),
    kept: found.filter((one) => !isOurs(one)).map(({ path }) => ({ path, reason: 'changed' })),
  }
}

export interface PresentFile {
  readonly path: string
  readonly entry: TreeEntry
}

/** Returns the paths of files whose content was pushed from here. Reads contents only if something was pushed. */
export async function ownFiles(
  git: Git,
  files: readonly PresentFile[],
  lastPushed: PushOptions['lastPushed'],
): Promise<ReadonlySet<string>> {
  const candidates = files.filter(({ entry, path }) => isFile(entry) && lastPushed.has(path))
  const hashes = await hashContents(
    git,
    candidates.map(({ entry }) => entry.id),
  )
  const isOurs = ({ entry, path }: PresentFile): boolean => {
    const written = [lastPushed.get(path) ?? []].flat()
    return fileState({ wanted: undefined, present: hashes.get(entry.id), written }) === 'ours'
  }
  return new Set(candidates.filter(isOurs).map(({ path }) => path))
}
