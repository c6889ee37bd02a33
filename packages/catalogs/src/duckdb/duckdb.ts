import { stat } from 'node:fs/promises'
import type { Catalog } from '@stagecraft/spec'
import { fileFailed } from '../files/file-failed.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { openWarehouse } from '../warehouse/warehouse-catalog.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { databaseFile } from './instance.ts'
import { dataFolder } from './data-folder.ts'
import { duckdbSession } from './session.ts'

/** The members of a client that are used; connections of `@duckdb/node-api` have them. */
export interface DuckdbClient {
  runAndReadAll(sql: string): Promise<{ getRowObjectsJS(): readonly unknown[] }>
}

export type DuckdbOptions =
  | {
      /** A database file, or a folder of parquet and csv files. */
      readonly path: string
      /** Cancels opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
    }
  | {
      /** A connection of the caller, who closes it. */
      readonly client: DuckdbClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * Opens the catalog of a DuckDB database, or of a folder of files that DuckDB reads: each `name.parquet` and
 * `name.csv` is a table `name` in the schema `main`, with the `location` that reads it. A database file is
 * opened for reading only.
 *
 * @throws {StagecraftError} CONNECTION_FAILED for a path that cannot be read, or that another process has
 * open for writing; INVALID_REQUEST for two files with the same name, or if the package @duckdb/node-api is
 * not installed.
 */
export async function duckdb(options: DuckdbOptions): Promise<Catalog> {
  return openWarehouse(await warehouseOf(options), options.signal)
}

async function warehouseOf(options: DuckdbOptions): Promise<Warehouse> {
  if ('client' in options) return givenClient(options.client)
  const { path } = options
  const entry = await stat(path).catch((error: unknown) => {
    throw fileFailed(error, path)
  })
  return entry.isDirectory() ? dataFolder(path) : databaseFile(path)
}

function givenClient(client: DuckdbClient): Warehouse {
  const session = duckdbSession(async <Row>(sql: string) => {
    try {
      return (await client.runAndReadAll(sql)).getRowObjectsJS() as readonly Row[]
    } catch (error) {
      throw connectionFailed(error, { engine: 'DuckDB' })
    }
  })
  return { dialect: 'duckdb', withSession: (work) => work(session), close: async () => {} }
}
