import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import type { QueryResult } from 'kysely'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { storeFailure } from '../errors/store-failure.ts'
import { untilFree } from './write-lock.ts'
import { link, lstat, open, rm } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** Runs one statement on a connection. */
type RunStatement = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/**
 * Caches prepared statements, because preparing costs more than running most of them.
 *
 * @param limit The maximum number of cached statements; the least recently used one is dropped.
 */
function statementCache(database: DatabaseSync, limit: number): RunStatement {
  const cache = new Map<string, Prepared>()
  const prepared = (text: string): Prepared => {
    const known = cache.get(text)
    cache.delete(text) // Set it again, because a map keeps insertion order.
    const entry = known ?? prepare(database, text)
    cache.set(text, entry)
    if (cache.size > limit) cache.delete(cache.keys().next().value ?? text)
    return entry
  }
  return (text, parameters) => {
    const { returnsRows, statement } = prepared(text)
    const values = parameters.map(toInput)
    if (returnsRows) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
}

function prepare(database: DatabaseSync, text: string): Prepared {
  const statement = database.prepare(text)
  return { statement, returnsRows: statement.columns().length > 0 }
}

/** Binds whole numbers as integers. As a float, 5 would become '5.0' in a text column, and 5 / 2 would be 2.5. */
function toInput(value: unknown): SQLInputValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : (value as SQLInputValue)
}

/** The two connections to a file. */
export interface SqliteFile {
  readonly read: RunStatement
  readonly write: RunStatement & { isInTransaction(): boolean }
  close(): void
}

const STATEMENTS = 250
const OPEN_MS = 30_000
/** Enough for SQLite's own work, such as reading the log after a crash. `untilFree` waits for everything else. */
const BUSY_MS = 10

/** Committed data survives crashes of the process and power failures. */
const WRITE_PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma journal_size_limit = 67108864`

/** Opens the file with access for its owner only. Creates it and its folder if missing, with the same access. */
export async function sqliteFile(path: string): Promise<SqliteFile> {
  try {
    createPrivately(path)
    // A process that opens the file for the first time briefly locks others out, whatever their time limit.
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
    // SQLite's own function handles only ASCII letters.
    database.function('lower', { deterministic: true }, toLower)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function toLower(value: SQLInputValue): SQLInputValue {
  return typeof value === 'string' ? value.toLowerCase() : value
}

function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/** Copies all pages in one step. In several steps, every write of another process would restart the copy. */
const ALL_PAGES = 2 ** 31 - 1

/**
 * Copies a database as of one moment while it is in use. The copy appears under its name only when it is complete on
 * disk. It uses a separate connection and thread, so it blocks nothing.
 */
export async function backupFile(path: string, target: string): Promise<void> {
  const { backup, DatabaseSync } = loadSqlite()
  await assertFree(target)
  const unfinished = `${target}.${process.pid}.${performance.now()}.tmp`
  await createEmpty(unfinished, target)
  try {
    const source = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    try {
      await backup(source, unfinished, { rate: ALL_PAGES })
    } finally {
      source.close()
    }
    await flush(unfinished)
    await place(unfinished, target)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error instanceof StagecraftError ? error : storeFailure(error)
  }
}

/** Creates the file that SQLite copies into, with access for its owner only; a fault of the path shows here. */
async function createEmpty(unfinished: string, target: string): Promise<void> {
  try {
    await (await open(unfinished, 'wx', 0o600)).close()
  } catch (error) {
    const expected = 'a file in a folder that exists and can be written to'
    throw new StagecraftError('INVALID_REQUEST', `file: expected ${expected}, got ${target}`, {
      cause: error,
      details: { faults: [{ path: 'file', expected, received: target }] },
    })
  }
}

/** Fails before the copy instead of after it. */
async function assertFree(target: string): Promise<void> {
  const stats = await lstat(target).catch(() => undefined)
  if (stats) throw taken(target)
}

/** Claims the name atomically, so that a file that appeared meanwhile is never replaced. */
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
