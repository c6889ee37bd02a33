import type { Catalog, DialectName } from '@stagecraft/spec'
import { assertPlainPath } from './files/assert-plain-path.ts'
import { parseCatalog } from './parse-catalog.ts'

export interface OpenCatalogOptions {
  /**
   * The dialect of the output, for SQL files: they are read as it when neither they nor the text say another one, and
   * unquoted names in them are stored as it stores them. Default: none.
   */
  readonly dialect?: DialectName | undefined
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
 * - `columns.yml`, `.yaml`, `.json`, `.csv`, or `columns:path` (docs/reference/columns-file.md)
 * - `schema.sql`, or `ddl:path` of a file or folder
 * - `dbt:target/`, or `dbt:path/to/manifest.json`
 *
 * Behind a columns file or SQL file `?dialect=snowflake` says which warehouse it describes, and `?encoding=windows-1252`
 * what it is encoded in; UTF-8, and UTF-16 with its mark, need no word.
 *
 * @example
 * const catalog = await openCatalog('schema.sql?dialect=snowflake')
 * const tables = await catalog.tables({})
 * await catalog.close()
 * @throws {StagecraftError} INVALID_REQUEST for a text of another form, a faulty file or a driver that is not installed;
 * CONNECTION_FAILED for a server or file that cannot be read.
 */
export async function openCatalog(
  text: string,
  { dialect: target, signal }: OpenCatalogOptions = {},
): Promise<Catalog> {
  signal?.throwIfAborted()
  const { form, ...address } = parseCatalog(text)
  if (!form.server) await assertPlainPath(address.path)
  const open = await form.load()
  return open({ ...address, text, target, signal })
}
