import type { DialectName } from './names.ts'
import type { SourceName, TableSelector } from './source-name.ts'
import type { CatalogTable } from './table.ts'
import type { Warning } from './generation.ts'

/** The size of a table, as far as the warehouse knows it without reading rows. */
export interface TableSize {
  /** An estimate of the number of rows. */
  readonly rows?: number
  /** An upper bound; the actual number of rows may be far smaller. */
  readonly mostRows?: number
  /** The size of its rows, without indexes. */
  readonly bytes?: number
  /** A text that changes when the rows change; absent if the warehouse has none. */
  readonly version?: string
  /** The time of the last change of its rows in UTC, if the warehouse stores it: `2026-01-31T10:00:00.000Z`. */
  readonly changedAt?: string
}

export interface SizesOptions {
  /** Includes the bytes, even if finding them costs more than reading metadata. @default false */
  readonly bytes?: boolean
}

export interface QueryOptions {
  /** Cancels the statement, in the warehouse as well; the signal's reason is thrown. @default never */
  readonly signal?: AbortSignal | undefined
}

/** A source of columns: a warehouse, a file of CREATE TABLE statements, a dbt project. */
export interface Catalog {
  /** The SQL dialect of its tables; undefined if the catalog is only a list of columns. */
  readonly dialect: DialectName | undefined

  /**
   * True if a person wrote the databases of its tables. The output then names them, even if the request does
   * not. Otherwise the database is that of the connection, as in dbt. Default false.
   */
  readonly statesDatabase?: boolean

  /** Warnings from opening the catalog, each once. Default: none. */
  readonly warnings?: readonly Warning[]

  /**
   * Describes the selected tables, ordered by stored name. The number of queries does not depend on the number of
   * tables. Missing tables are left out.
   *
   * @throws {StagecraftError} CONNECTION_FAILED if the catalog cannot be read.
   */
  tables(selector: TableSelector): Promise<readonly CatalogTable[]>

  /**
   * Describes one table. A name without a schema is looked up in the catalog's default schema.
   *
   * @throws {StagecraftError} INVALID_SOURCE with the closest names if the table does not exist; CONNECTION_FAILED if
   * the catalog cannot be read.
   */
  describe(source: SourceName): Promise<CatalogTable>

  /**
   * Runs one read-only statement in a session with a time limit, and returns its rows. Absent if the tables come from
   * a file. The caller is responsible for the statement.
   *
   * @throws {StagecraftError} CONNECTION_FAILED if the warehouse refuses it or is too slow; or the signal's reason.
   */
  query?(statement: string, options?: QueryOptions): Promise<readonly Readonly<Record<string, unknown>>[]>

  /**
   * Returns the number of bytes that a statement would read, which the warehouse bills, without running it. Absent if
   * it cannot be known in advance.
   *
   * @throws {StagecraftError} CONNECTION_FAILED if the warehouse refuses the statement; or the signal's reason.
   */
  bytesRead?(statement: string, options?: QueryOptions): Promise<number>

  /**
   * Estimates the sizes of tables in their order, in a fixed number of queries. Absent if the tables come from a file.
   *
   * @throws {StagecraftError} CONNECTION_FAILED if the catalog cannot be read.
   */
  sizes?(tables: readonly CatalogTable[], options?: SizesOptions): Promise<readonly TableSize[]>

  /**
   * Cancels all running statements, in the warehouse as well. They fail, and the catalog stays usable. Absent if
   * statements cannot be cancelled.
   */
  cancel?(): void

  /** Closes connections and files. May be called more than once. */
  close(): Promise<void>
}
