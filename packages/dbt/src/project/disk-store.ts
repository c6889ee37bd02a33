import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactsStore } from './facts-cache.ts'

/** The folder of facts below the project. A file in it makes git ignore it. */
const FOLDER = '.stagecraft/cache'

/**
 * Creates the store of a project on disk. It is in `.stagecraft/cache`, which git ignores. On a read-only disk
 * nothing is kept.
 */
export function diskStore(root: string): FactsStore {
  const folder = join(root, FOLDER)
  const file = join(folder, 'facts.json')
  return {
    load: () => readFile(file, 'utf8').catch(() => undefined),
    async save(text) {
      const beside = `${file}.${process.pid}.tmp`
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(join(folder, '.gitignore'), '*\n')
        await writeFile(beside, text)
        await rename(beside, file)
      } catch {
        // A read-only disk: the next run reads the files again, as this one did.
      }
    },
  }
}
