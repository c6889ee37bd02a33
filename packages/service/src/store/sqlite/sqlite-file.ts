import { loadSqlite } from '@stagecraft/catalogs/sqlite'
import type { QueryResult } from 'kysely'
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { storeFailure } from '../errors/store-failure.ts'
import { untilFree } from './write-lock.ts'
import { chmod, link, lstat, open, rm } from 'node:fs/promises'
import { StagecraftError } from '@stagecraft/spec'

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** Runs one statement on a connection. */
type RunStatement = (text: string, parameters: readonly unknown[]) => QueryResult<unknown>

/**
 * Keeps what was prepared, which costs more than most statements themselves.
 *
 * @param limit of statements that are kept; the one that was not used for longest goes first.
 */
function statementCache(database: DatabaseSync, limit: number): RunStatement {
  const cache = new Map<string, Prepared>()
  const prepared = (text: string): Prepared => {
    const known = cache.get(text)
    cache.delete(text) // and set again: a map keeps the order of insertion
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

/** A number would be bound as a float: 5 would become '5.0' in a column of text, and 5 / 2 would be 2.5. */
function toInput(value: unknown): SQLInputValue {
  return Number.isSafeInteger(value) ? BigInt(value as number) : (value as SQLInputValue)
}

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
    // Its own knows the letters of ASCII alone.
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

/** All pages in one step: in several, every write of another process would restart it. */
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
