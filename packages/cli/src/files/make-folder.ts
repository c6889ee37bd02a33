import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { StagecraftError } from '@stagecraft/spec'
import { fileReason } from './file-fault.ts'

/**
 * Makes a folder and those above it, one after the other: where a file system has no new folders, as below /proc, the
 * `recursive` of Node never comes back.
 *
 * @param options.mode Of the folders that are made. Default: what the process is allowed.
 * @throws {Error} As `mkdirSync` does.
 */
export function makeFolder(folder: string, options: { readonly mode?: number } = {}): void {
  if (isFolder(folder)) return
  const above = dirname(resolve(folder))
  if (above !== resolve(folder)) makeFolder(above, options)
  try {
    mkdirSync(folder, options)
  } catch (error) {
    // another process may have made it meanwhile
    if (!isFolder(folder)) throw error
  }
}

/**
 * Makes sure that files can be written into a folder, which may be still to be made, before any work is done for them.
 *
 * @param name What the user calls the folder: `--out`.
 * @throws {StagecraftError} INVALID_REQUEST when they cannot.
 */
export function assertWritable(folder: string, name: string): void {
  try {
    if (folder.trim() === '') throw fail(folder, name, 'an empty text names none')
    rmdirSync(mkdtempSync(join(nearestFolder(resolve(folder)), '.stagecraft-')))
  } catch (error) {
    if (error instanceof StagecraftError) throw error
    const reason = fileReason(error)
    throw reason === undefined ? error : fail(folder, name, reason)
  }
}

/** The folder itself, or the nearest one above it that is there. */
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
