import { createHash } from 'node:crypto'

/** The SHA-256 of a content, in hex: what the ledger of pushes keeps. */
export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The id that git gives to a content, in a repository whose ids look like the other one. */
export function blobId(content: Buffer, other: string): string {
  const hash = createHash(other.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}
