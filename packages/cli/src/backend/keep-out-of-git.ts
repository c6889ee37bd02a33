import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Makes a folder whose content git does not see. A folder that cannot be made is not needed to go on. */
export async function keepOutOfGit(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
  } catch {
    // It is there already, or the disk is read-only: the cache then keeps nothing.
  }
}
