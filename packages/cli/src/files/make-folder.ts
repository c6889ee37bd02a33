import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { fileReason } from './file-fault.ts'

/**
 * Creates a folder and its parents one by one. Node's `recursive` never returns on file systems without new folders,
 * such as /proc.
 *
 * @param options.mode The mode of created folders. Default: that of the process.
 * @throws {Error} Like `mkdirSync`.
 */
export function makeFolder(folder: string, options: { readonly mode?: number } = {}): void {
  if (isFolder(folder)) return
  const above = dirname(resolve(folder))
  if (above !== resolve(folder)) makeFolder(above, options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(folder)) throw error
  }
}

/**
 * Checks that files can be written into a folder, which may not exist yet, before the work starts.
 *
 * @param name The user's name for the folder: `--out`.
 * @throws {StagecraftError} INVALID_REQUEST if they cannot.
 */
export function assertWritable(folder: string, name: string): void {
  try {
    if (folder.trim() === '') throw fail(folder, name, 'the text is empty')
    rmdirSync(mkdtempSync(join(nearestFolder(resolve(folder)), '.stagecraft-')))
  } catch (error) {
    if (error instanceof StagecraftError) throw error
    const reason = fileReason(error)
    throw reason === undefined ? error : fail(folder, name, reason)
  }
}

/** Returns the folder, or its nearest existing parent. */
function nearestFolder(folder: string): string {
  const above = dirname(folder)
  const stats = statSync(folder, { throwIfNoEntry: false })
  if (stats || above === folder) return folder
  return nearestFolder(above)
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function fail(folder: string, name: string, reason: string): StagecraftError {
  const expected = 'a folder to write to'
  return new StagecraftError(
    'INVALID_REQUEST',
    `${name}: expected ${expected}, got ${JSON.stringify(folder)}: ${reason}`,
    { details: { faults: [{ path: name.replace(/^--/, ''), expected, received: reason }] } },
  )
}
