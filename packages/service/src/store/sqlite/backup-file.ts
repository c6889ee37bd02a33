import { chmod, open, rename, rm } from 'node:fs/promises'
import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import { storeFailure } from '../errors/store-failure.ts'

/** All pages in one step: in several, every write of another process would start it anew. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Copies a database as it is at one moment, while it is in use. The copy appears under its name when it is whole and on the disk.
 * It has a connection of its own and copies in a thread of its own, so that nobody waits for it.
 */
export async function backupFile(path: string, target: string): Promise<void> {
  const { backup, DatabaseSync } = loadSqlite()
  const unfinished = `${target}.${process.pid}.${performance.now()}.tmp`
  try {
    const source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      await backup(source, unfinished, { rate: ALL_PAGES })
    } finally {
      source.close()
    }
    await chmod(unfinished, 0o600)
    await flush(unfinished)
    await rename(unfinished, target)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw storeFailure(error)
  }
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}
