import { stat } from 'node:fs/promises'
import type { Catalog } from '@stagecraft/spec'
import { fileFailed, unreadable } from '../files/file-failed.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { openWarehouse } from '../warehouse/open-warehouse.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { loadSqlite } from './load-sqlite.ts'
import { type Query, sqliteSession } from './session.ts'

/** The members of a client that are used; `DatabaseSync` of node:sqlite and better-sqlite3 have them. */
export interface SqliteClient {
  prepare(sql: string): { all(parameters: Record<string, string | null>): unknown[] }
}

export type SqliteOptions =
  | {
      /** A database file. */
      readonly path: string
      /** Stops the opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
    }
  | {
      /** A database of the caller's, who closes it. */
      readonly client: SqliteClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * The catalog of an SQLite file, opened for reading only through Node's own SQLite.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a file that cannot be read or is not a SQLite database.
 */
export async function sqlite(options: SqliteOptions): Promise<Catalog> {
  const warehouse = 'client' in options ? givenClient(options.client) : await databaseFile(options.path)
  return openWarehouse(warehouse, options.signal)
}

function givenClient(client: SqliteClient): Warehouse {
  const session = sqliteSession(queryOf(client, (error) => connectionFailed(error, { engine: 'SQLite' })))
  return { dialect: 'sqlite', withSession: (work) => work(session), close: async () => {} }
}

async function databaseFile(path: string): Promise<Warehouse> {
  const { DatabaseSync } = loadSqlite()
  const failed = (error: unknown): Error => fileFailed(error, path)
  const entry = await stat(path).catch((error: unknown) => {
    throw failed(error)
  })
  if (entry.isDirectory()) throw unreadable(path, 'it is a folder')
  const database = openFile(
    () => new DatabaseSync(path, { readOnly: true, timeout: BUSY_MILLISECONDS }),
    failed,
  )
  const session = sqliteSession(queryOf(database, failed))
  return {
    dialect: 'sqlite',
    withSession: (work) => work(session),
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

/** The time to wait, blocking the process, for a writer that has locked the file. */
const BUSY_MILLISECONDS = 2000

function openFile<Database>(open: () => Database, failed: (error: unknown) => Error): Database {
  try {
    return open()
  } catch (error) {
    throw failed(error)
  }
}

function queryOf(client: SqliteClient, failed: (error: unknown) => Error): Query {
  return (sql, tables) => {
    try {
      const parameters = sql.includes(':tables') ? { tables: tables ? JSON.stringify(tables) : null } : {}
      return client.prepare(sql).all(parameters)
    } catch (error) {
      throw failed(error)
    }
  }
}
