import { fetchContents } from './fetch-base.ts'
import type { Git } from './run-git.ts'

/** Receives one content in chunks. */
export interface ContentSink<Value> {
  readonly take: (piece: Buffer) => void
  readonly end: () => Value
}

/**
 * Reads contents of the repository as streams, because they may be of any size, and returns each sink's result by id.
 */
export async function readContents<Value>(
  git: Git,
  ids: readonly string[],
  open: () => ContentSink<Value>,
): Promise<ReadonlyMap<string, Value>> {
  const distinct = [...new Set(ids)]
  if (distinct.length === 0) return new Map()
  await fetchContents(git, distinct)
  const reader = batchReader(open)
  await git.read(['cat-file', '--batch'], {
    input: distinct.map((id) => `${id}\n`).join(''),
    onOutput: reader.take,
  })
  return reader.values
}

/** Returns the texts of contents by id. */
export async function readTexts(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return new Map([...(await readBytes(git, ids))].map(([id, bytes]) => [id, bytes.toString()]))
}

/** Returns contents by id. */
export function readBytes(git: Git, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  return readContents(git, ids, () => {
    const pieces: Buffer[] = []
    return {
      take: (piece) => void pieces.push(Buffer.from(piece)),
      end: () => Buffer.concat(pieces),
    }
  })
}

interface BatchReader<Value> {
  readonly take: (chunk: Buffer) => void
  readonly values: ReadonlyMap<string, Value>
}

/** Parses `id type size`, a newline, the content, a newline, and so on, from chunks with arbitrary boundaries. */
export function batchReader<Value>(open: () => ContentSink<Value>): BatchReader<Value> {
  const values = new Map<string, Value>()
  let header = ''
  let current: { readonly id: string; readonly sink: ContentSink<Value>; left: number } | undefined
  const takeHeader = (chunk: Buffer): Buffer => {
    const end = chunk.indexOf('\n')
    header += chunk.subarray(0, end === -1 ? chunk.length : end).toString('latin1')
    if (end === -1) return chunk.subarray(chunk.length)
    const [, id, size] = /^(\S+) \w+ (\d+)$/.exec(header) ?? []
    header = ''
    if (id !== undefined) current = { id, sink: open(), left: Number(size) }
    return chunk.subarray(end + 1)
  }
  const takeContent = (chunk: Buffer, entry: NonNullable<typeof current>): Buffer => {
    const piece = chunk.subarray(0, entry.left)
    entry.sink.take(piece)
    entry.left -= piece.length
    // The newline after the content is one more byte.
    if (chunk.length === piece.length) return chunk.subarray(chunk.length)
    values.set(entry.id, entry.sink.end())
    current = undefined
    return chunk.subarray(piece.length + 1)
  }
  const take = (chunk: Buffer): void => {
    let rest = chunk
    while (rest.length > 0) rest = current === undefined ? takeHeader(rest) : takeContent(rest, current)
  }
  return { take, values }
}
