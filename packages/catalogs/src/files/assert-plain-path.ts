import { stat } from 'node:fs/promises'
import { fileFailed, unreadable } from './file-failed.ts'

/**
 * Refuses paths that are neither a file nor a folder: a pipe would wait for its writer forever. Missing paths pass;
 * opening them fails.
 *
 * @throws {StagecraftError} CONNECTION_FAILED with the path and its kind.
 */
export async function assertPlainPath(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFailed(error, path)
  })
  if (!found || found.isFile() || found.isDirectory()) return
  throw unreadable(
    path,
    `it is ${found.isFIFO() ? 'a pipe' : found.isSocket() ? 'a socket' : 'a device'}, not a file`,
  )
}
