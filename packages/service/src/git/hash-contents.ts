import { createHash, type Hash } from 'node:crypto'
import { fetchContents } from './fetch-base.ts'
import type { Git } from './run-git.ts'

/** By id, the SHA-256 of contents of the repository. They are hashed as they come, because they may be of any size. */
export async function hashContents(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  await fetchContents(git, distinct)
  const reader = batchReader()
  await git.read(['cat-file', '--batch'], {
    input: distinct.map((id) => `${id}\n`).join(''),
    onOutput: reader.take,
  })
  return reader.hashes
}

interface BatchReader {
  readonly take: (chunk: Buffer) => void
  readonly hashes: ReadonlyMap<string, string>
}

/** Reads `id type size`, a line end, the content, a line end, and so on, in pieces cut anywhere. */
export function batchReader(): BatchReader {
  const hashes = new Map<string, string>()
  let header = ''
  let current: { readonly id: string; readonly hash: Hash; left: number } | undefined
  const takeHeader = (chunk: Buffer): Buffer => {
    const end = chunk.indexOf('\n')
    header += chunk.subarray(0, end === -1 ? chunk.length : end).toString('latin1')
    if (end === -1) return chunk.subarray(chunk.length)
    const [, id, size] = /^(\S+) \w+ (\d+)$/.exec(header) ?? []
    header = ''
    if (id !== undefined) current = { id, hash: createHash('sha256'), left: Number(size) }
    return chunk.subarray(end + 1)
  }
  const takeContent = (chunk: Buffer, entry: NonNullable<typeof current>): Buffer => {
    const piece = chunk.subarray(0, entry.left)
    entry.hash.update(piece)
    entry.left -= piece.length
    // The line end behind the content is one more byte.
    if (chunk.length === piece.length) return chunk.subarray(chunk.length)
    hashes.set(entry.id, entry.hash.digest('hex'))
    current = undefined
    return chunk.subarray(piece.length + 1)
  }
  const take = (chunk: Buffer): void => {
    let rest = chunk
    while (rest.length > 0) rest = current === undefined ? takeHeader(rest) : takeContent(rest, current)
  }
  return { take, hashes }
}
