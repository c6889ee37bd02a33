import { blobId, sha256 } from './hash-contents.ts'
import { foldersOf } from './file-path.ts'
import type { TreeEntry } from './tree-entries.ts'

/** A file as bytes. */
export interface ByteFile {
  readonly path: string
  readonly content: Buffer
  readonly sha256: string
}

export interface PlannedWrite {
  readonly file: ByteFile
  readonly mode: '100644' | '100755'
  readonly change: 'added' | 'changed'
}

/** The plan for each given file. */
export interface CommitPlan {
  readonly writes: readonly PlannedWrite[]
  /** The files at the path of a write that Stagecraft is not known to have written. */
  readonly foreign: readonly { readonly path: string; readonly entry: TreeEntry }[]
  /** Paths that lead through a file, a link or a submodule, or name a folder. */
  readonly blocked: readonly string[]
}

export function byteFile(path: string, text: string): ByteFile {
  const content = Buffer.from(text)
  return { path, content, sha256: sha256(content) }
}

/** Compares files with the branch; identical ones are left out. */
export function planCommit(files: readonly ByteFile[], entries: ReadonlyMap<string, TreeEntry>): CommitPlan {
  const writes: PlannedWrite[] = []
  const foreign: { path: string; entry: TreeEntry }[] = []
  const blocked: string[] = []
  for (const file of files) {
    const entry = entries.get(file.path)
    const isBlocked = foldersOf(file.path).some((folder) => (entries.get(folder)?.type ?? 'tree') !== 'tree')
    if (isBlocked || entry?.type === 'tree') blocked.push(file.path)
    else if (entry === undefined) writes.push({ file, mode: '100644', change: 'added' })
    else if (!isFile(entry) || entry.id !== blobId(file.content, entry.id)) {
      writes.push({ file, mode: entry.mode === '100755' ? '100755' : '100644', change: 'changed' })
      foreign.push({ path: file.path, entry })
    }
  }
  return { writes, foreign, blocked }
}

/** Returns true for a regular file, not a link or a submodule. */
export function isFile({ mode, type }: TreeEntry): boolean {
  return type === 'blob' && mode !== '120000'
}
