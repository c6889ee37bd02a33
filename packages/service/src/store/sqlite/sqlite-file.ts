import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import { storeFailure } from '../errors/store-failure.ts'
import { type RunStatement, statementCache } from './statement-cache.ts'

/** Both connections to a file. */
export interface SqliteFile {
  readonly read: RunStatement
  readonly write: RunStatement & { isInTransaction(): boolean }
  close(): void
}

const STATEMENTS = 250
/** Long enough for what SQLite does itself, such as reading the log after a crash; `untilFree` waits for all else. */
const BUSY_MS = 10

/** Everything that was committed stays, whatever happens to the process or to the power. */
const WRITE_PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = 67108864`

/** Opens the file, which is made when it is missing, for its owner alone; the same goes for its folder. */
export function sqliteFile(path: string): SqliteFile {
  try {
    createPrivately(path)
    const { DatabaseSync } = loadSqlite()
    const open = (pragmas: string): DatabaseSync => {
      const database = new DatabaseSync(path, { timeout: 5000 })
      database.exec(pragmas)
      database.exec(`pragma busy_timeout = ${BUSY_MS}`)
      return database
    }
    const writer = open(WRITE_PRAGMAS)
    const reader = open('pragma query_only = on')
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

function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}
