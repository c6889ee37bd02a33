import { readFile, stat } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'
import { fileFault } from './file-fault.ts'

/**
 * Returns the text of a file; undefined if it does not exist. Refuses pipes and devices, because reading one may never
 * end.
 *
 * @throws {StagecraftError} INVALID_REQUEST if it exists and cannot be read.
 */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    const found = await stat(file)
    if (!found.isFile() && !found.isDirectory()) throw noFile(file, found.isFIFO() ? 'a pipe' : 'a device')
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFault(error, file)
  }
}

function noFile(file: string, received: string): StagecraftError {
  return new StagecraftError('INVALID_REQUEST', `${file}: expected a file, but it is ${received}`, {
    details: { faults: [{ path: file, expected: 'a file', received }] },
  })
}
