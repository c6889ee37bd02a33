import type { Catalog } from '@stagecraft/spec'
import { parseCatalog } from './parse-catalog.ts'

export interface OpenCatalogOptions {
  /** Stops the opening, which then throws the signal's reason. Default: nothing stops it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Opens the catalog that a text names. When it returns, files are read and a database has answered once. Paths are
 * relative to the working directory.
 *
 * - `path.duckdb`, `duckdb:path`, or `duckdb:folder/` of parquet and csv files
 * - `postgres://…` or `postgresql://…`, `mysql://…` or `mariadb://…`
 * - `path.sqlite`, `.sqlite3`, or `sqlite:path`
 * - `columns.yml`, `.yaml`, `.json`, `.csv`, or `columns:path` (docs/columns-file.md)
 * - `schema.sql`, or `ddl:path` of a file or folder
 * - `dbt:target/`, or `dbt:path/to/manifest.json`
 *
 * Behind a columns file or SQL file `?dialect=snowflake` says which warehouse it describes.
 *
 * @example
 * const catalog = await openCatalog('schema.sql?dialect=snowflake')
 * const tables = await catalog.tables({})
 * await catalog.close()
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form, a faulty file or a driver that is not installed;
 * CONNECTION_FAILED for a server or file that cannot be read.
 */
export async function openCatalog(text: string, { signal }: OpenCatalogOptions = {}): Promise<Catalog> {
  signal?.throwIfAborted()
  const { dialect, form, path } = parseCatalog(text)
  const open = await form.load()
  return open({ text, path, dialect, signal })
}
