import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../files/make-folder.ts'

/** Makes a folder whose content git does not see. A folder that cannot be made is not needed to go on. */
export async function keepOutOfGit(folder: string): Promise<void> {
  try {
    makeFolder(folder)
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // It is there already, or the disk is read-only: the cache then keeps nothing.
  }
}
