import { foldersOf } from './file-path.ts'
import type { Git } from './run-git.ts'

/** The entry at a path of a commit. */
export interface TreeEntry {
  readonly mode: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly id: string
}

/** The maximum size of the paths in one call, in bytes. Systems allow some hundred thousand. */
const BYTES_PER_CALL = 64 * 1024

/** Returns the entries at paths and at their parent folders. Other folders are not read. */
export async function readTreeEntries(
  git: Git,
  { commit, paths }: { readonly commit: string; readonly paths: readonly string[] },
): Promise<ReadonlyMap<string, TreeEntry>> {
  const wanted = [...new Set(paths.flatMap((path) => [...foldersOf(path), path]))]
  const entries = new Map<string, TreeEntry>()
  for (const group of inGroups(wanted)) {
    addEntries(entries, await git.read(['ls-tree', '-z', '--full-tree', commit, '--', ...group]))
  }
  return entries
}

/** Returns all files of a commit by path. */
export async function readTree(git: Git, commit: string): Promise<ReadonlyMap<string, TreeEntry>> {
  const entries = new Map<string, TreeEntry>()
  addEntries(entries, await git.read(['ls-tree', '-r', '-z', '--full-tree', commit]))
  return entries
}

function addEntries(entries: Map<string, TreeEntry>, output: string): void {
  for (const row of output.split('\0')) {
    const [, mode, type, id, path] = /^(\d+) (blob|tree|commit) ([\da-f]+)\t(.*)$/s.exec(row) ?? []
    if (mode !== undefined && id !== undefined && path !== undefined) {
      entries.set(path, { mode, type: type as TreeEntry['type'], id })
    }
  }
}

function inGroups(paths: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let room = 0
  for (const path of paths) {
    const size = Buffer.byteLength(path) + 1
    if (size > room) {
      groups.push([])
      room = BYTES_PER_CALL
    }
    groups.at(-1)?.push(path)
    room -= size
  }
  return groups
}
