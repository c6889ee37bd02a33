import { StagecraftError } from '@stagecraft/spec'
import type { FileTree } from './file-tree.ts'

/**
 * Decodes UTF-8 so that encoding it again gives the same bytes: a byte order mark stays where it is. Undefined for bytes
 * that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * Reads the text of a file, byte order mark included; undefined when there is no such file.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a file that is not UTF-8, or cannot be read.
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
