import { createHash } from 'node:crypto'
import { type ContentSink, readContents } from './read-contents.ts'
import type { Git } from './run-git.ts'

/** Returns the SHA-256 of contents of the repository, by id. */
export function hashContents(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return readContents(git, ids, hashSink)
}

export function hashSink(): ContentSink<string> {
  const hash = createHash('sha256')
  return { take: (piece) => void hash.update(piece), end: () => hash.digest('hex') }
}

/** Returns the SHA-256 of a content in hex, as the ledger of pushes stores it. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Returns git's id of a content, in the hash format of the given id. */
export function blobId(content: Buffer, other: string): string {
  const hash = createHash(other.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}
