import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'

/** Creates a folder that git ignores. A failure is ignored, because the folder is optional. */
export async function keepOutOfGit(folder: string): Promise<void> {
  try {
    makeFolder(folder)
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // The folder exists, or the disk is read-only. The cache then stores nothing.
  }
}
