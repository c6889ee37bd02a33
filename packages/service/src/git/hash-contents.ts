import { createHash } from 'node:crypto'
import { type ContentSink, readContents } from './read-contents.ts'
import type { Git } from './run-git.ts'

/** By id, the SHA-256 of contents of the repository. */
export function hashContents(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return readContents(git, ids, hashSink)
}

export function hashSink(): ContentSink<string> {
  const hash = createHash('sha256')
  return { take: (piece) => void hash.update(piece), end: () => hash.digest('hex') }
}
