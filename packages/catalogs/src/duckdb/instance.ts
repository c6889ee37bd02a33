import { loadPackage } from '@stagecraft/spec'
import { unreadable } from '../files/file-failed.ts'
import { QUERY_SECONDS } from '../network/connection-failed.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { fileVersion } from '../files/file-version.ts'
import { type Query, duckdbSession } from './session.ts'

/** Opens a database file for reading only. */
export async function databaseFile(path: string): Promise<Warehouse> {
  const instance = await openInstance(path, 'file')
  const version = (): Promise<string | undefined> => fileVersion(path, `${path}.wal`)
  return {
    dialect: 'duckdb',
    withSession: (work) =>
      instance.withConnection((query, cancel) => work(duckdbSession(query, { cancel, version }))),
    close: async () => instance.close(),
  }
}

/** A DuckDB inside this process. */
interface Instance {
  /** Runs the work on a separate connection; `cancel` stops the running query. */
  withConnection<Result>(
    work: (query: Query, cancel: () => Promise<void>) => Promise<Result>,
  ): Promise<Result>
  close(): void
}

/**
 * Opens a database file for reading, or a database in memory.
 *
 * @param path The path, also for messages.
 * @param seconds The time limit of one query.
 * @throws {StagecraftError} CONNECTION_FAILED for a file that is not a DuckDB database or that another
 * process writes to; INVALID_REQUEST if the package is not installed.
 */
export async function openInstance(
  path: string,
  mode: 'file' | 'memory',
  seconds = QUERY_SECONDS,
): Promise<Instance> {
  const { DuckDBInstance } = await loadPackage({
    packageName: '@duckdb/node-api',
    neededBy: 'this catalog',
    load: () => import('@duckdb/node-api'),
  })
  const settings = { autoinstall_known_extensions: 'false' } // nothing is fetched from the network
  const opening =
    mode === 'memory'
      ? DuckDBInstance.create(':memory:', settings)
      : DuckDBInstance.create(path, { ...settings, access_mode: 'READ_ONLY' })
  const instance = await opening.catch((error: unknown) => {
    throw notReadable(error, path)
  })
  let isOpen = true
  return {
    withConnection: async (work) => {
      const connection = await instance.connect()
      const cancel = async (): Promise<void> => connection.interrupt()
      const query: Query = async <Row>(sql: string) => {
        let isLate = false
        const limit = setTimeout(() => {
          isLate = true
          connection.interrupt()
        }, seconds * 1000)
        try {
          return (await connection.runAndReadAll(sql)).getRowObjectsJS() as unknown as readonly Row[]
        } catch (error) {
          throw isLate ? tooSlow(path, seconds) : notReadable(error, path)
        } finally {
          clearTimeout(limit)
        }
      }
      try {
        return await work(query, cancel)
      } finally {
        connection.closeSync()
      }
    },
    close: () => {
      if (isOpen) instance.closeSync()
      isOpen = false
    },
  }
}

function tooSlow(path: string, seconds: number): Error {
  return unreadable(path, `a query timed out after ${seconds} s`)
}

const NEWER =
  'a newer DuckDB wrote it: install a newer @duckdb/node-api, or rewrite it there with EXPORT DATABASE, or ATTACH … (STORAGE_VERSION …) and COPY FROM DATABASE'

function notReadable(error: unknown, path: string): Error {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  if (/not a valid DuckDB database file/.test(message)) return unreadable(path, 'it is not a DuckDB database')
  if (/database file with version number/.test(message)) return unreadable(path, message, error, NEWER)
  if (!/Could not set lock on file/.test(message)) return unreadable(path, message, error)
  const [, holder = 'unknown PID'] = /\((PID \d+)\)/.exec(message) ?? []
  const reason = `another process (${holder}) has it open for writing; close that process, or read a copy`
  return unreadable(path, reason, error)
}
