import { StagecraftError } from '@stagecraft/spec'
import type { FileTree } from './file-tree.ts'

/** Decodes UTF-8 without loss: a byte order mark is kept. Undefined for invalid UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Reads the text of a file, including a byte order mark; undefined if it does not exist.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an unreadable file, or one that is not UTF-8.
 */
export async function readText(tree: FileTree, path: string): Promise<string | undefined> {
  const bytes = await tree.read(path)
  if (bytes === undefined) return undefined
  const text = decodeText(bytes)
  if (text !== undefined) return text
  throw new StagecraftError('INVALID_REQUEST', `${path}: expected UTF-8, got other bytes; save it as UTF-8`, {
    details: { faults: [{ path, expected: 'UTF-8', received: 'other bytes' }] },
  })
}
