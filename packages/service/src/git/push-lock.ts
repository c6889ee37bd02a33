import { existsSync } from 'node:fs'
import { loadSqlite } from '@stagecraft/catalogs/sqlite'

/** A lock that ends with its process, however that ends, and holds between processes that share a folder. */
export interface PushLock {
  readonly release: () => void
}

const BUSY = 5

/**
 * Takes the lock of a file, which is made when it is not there. SQLite's lock on the file is all that is used of it: unlike
 * a file with a process id in it, it cannot be left behind or be taken for another's.
 *
 * @returns undefined when somebody has it, or the file went away meanwhile.
 */
export function takeLock(file: string): PushLock | undefined {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    database.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    database.close()
    if ((error as { readonly errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
  if (existsSync(file)) return { release: () => database.close() }
  database.close()
  return undefined
}
