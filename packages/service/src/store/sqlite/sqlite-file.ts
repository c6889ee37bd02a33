import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import { storeFailure } from '../errors/store-failure.ts'
import { type RunStatement, statementCache } from './statement-cache.ts'
import { untilFree } from './write-lock.ts'

/** Both connections to a file. */
export interface SqliteFile {
  readonly read: RunStatement
  readonly write: RunStatement & { isInTransaction(): boolean }
  close(): void
}

const STATEMENTS = 250
const OPEN_MS = 30_000
/** Long enough for what SQLite does itself, such as reading the log after a crash; `untilFree` waits for all else. */
const BUSY_MS = 10

/** Everything that was committed stays, whatever happens to the process or to the power. */
const WRITE_PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = 67108864`

/** Opens the file, which is made when it is missing, for its owner alone; the same goes for its folder. */
export async function sqliteFile(path: string): Promise<SqliteFile> {
  try {
    createPrivately(path)
    // one that opens the file for the first time turns others away for a moment, whatever their time limit
    const writer = await untilFree(() => connect(path, WRITE_PRAGMAS), OPEN_MS)
    const reader = await untilFree(() => connect(path, 'pragma query_only = on'), OPEN_MS)
    return {
      read: statementCache(reader, STATEMENTS),
      write: Object.assign(statementCache(writer, STATEMENTS), {
        isInTransaction: () => writer.isTransaction,
      }),
      close: () => {
        reader.close()
        writer.close()
      },
    }
  } catch (error) {
    throw storeFailure(error)
  }
}

function connect(path: string, pragmas: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  const database = new DatabaseSync(path, { timeout: BUSY_MS })
  try {
    database.exec(pragmas)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}
