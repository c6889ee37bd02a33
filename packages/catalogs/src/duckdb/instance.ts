import { unreadable } from '../files/file-failed.ts'
import { loadDriver } from '../warehouse/load-driver.ts'
import type { Query } from './session.ts'

/** A DuckDB inside this process. */
export interface Instance {
  /** Runs the work on a connection of its own. */
  withConnection<Result>(work: (query: Query) => Promise<Result>): Promise<Result>
  close(): void
}

/**
 * Opens a database file for reading, or a database in memory.
 *
 * @param path What is read, for messages.
 * @throws {StagecraftError} CONNECTION_FAILED for a file that is not a DuckDB database or that another process writes to;
 * INVALID_REQUEST when the package is not installed.
 */
export async function openInstance(path: string, mode: 'file' | 'memory'): Promise<Instance> {
  const { DuckDBInstance } = await loadDriver('@duckdb/node-api', () => import('@duckdb/node-api'))
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
      try {
        return await work(async <Row>(sql: string) => {
          try {
            return (await connection.runAndReadAll(sql)).getRowObjectsJS() as unknown as readonly Row[]
          } catch (error) {
            throw notReadable(error, path)
          }
        })
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

function notReadable(error: unknown, path: string): Error {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  if (/not a valid DuckDB database file/.test(message)) return unreadable(path, 'it is not a DuckDB database')
  if (!/Could not set lock on file/.test(message)) return unreadable(path, message, error)
  const [, holder = 'unknown PID'] = /\((PID \d+)\)/.exec(message) ?? []
  const reason = `another process (${holder}) has it open for writing; close it there, or read a copy`
  return unreadable(path, reason, error)
}
