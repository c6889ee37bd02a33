import { chmod, link, lstat, open, rm } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'
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
  await assertFree(target)
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
    await place(unfinished, target)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error instanceof StagecraftError ? error : storeFailure(error)
  }
}

/** Fails before the work and not after it. */
async function assertFree(target: string): Promise<void> {
  const stats = await lstat(target).catch(() => undefined)
  if (stats) throw taken(target)
}

/** Takes the name in one step, so that what appeared under it meanwhile is never replaced. */
async function place(unfinished: string, target: string): Promise<void> {
  try {
    await link(unfinished, target)
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'EEXIST' ? taken(target) : error
  }
  await rm(unfinished)
}

function taken(target: string): StagecraftError {
  const expected = 'a name that no file has yet'
  return new StagecraftError('INVALID_REQUEST', `file: expected ${expected}, got ${target}, which exists`, {
    details: { faults: [{ path: 'file', expected, received: target }] },
  })
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.sync().finally(() => handle.close())
}
