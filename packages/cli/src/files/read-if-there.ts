import { readFile } from 'node:fs/promises'
import { fileFault } from './file-fault.ts'

/**
 * The text of a file; undefined when there is none.
 *
 * @throws {StagecraftError} INVALID_REQUEST when it is there and cannot be read.
 */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFault(error, file)
  }
}
