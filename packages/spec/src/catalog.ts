import type { DialectName } from './names.ts'
import type { SourceName, TableSelector } from './source-name.ts'
import type { CatalogTable } from './table.ts'
import type { Warning } from './generation.ts'

/** The result of asking how large a table is, as far as the warehouse knows without reading it. */
export interface TableSize {
  /** An estimate of its rows. */
  readonly rows?: number
  /** It has no more rows, though it may have far fewer. */
  readonly mostRows?: number
  /** The space that its rows take, those of indexes not counted. */
  readonly bytes?: number
  /** Another text after every change of its rows; absent where the warehouse keeps no such mark. */
  readonly version?: string
}

export interface SizesOptions {
  /** Finds out the bytes, too, where that costs more than a look at the catalog. @default false */
  readonly bytes?: boolean
}

export interface QueryOptions {
  /** Ends the statement, in the warehouse as well; then its reason is thrown. @default never */
  readonly signal?: AbortSignal | undefined
}

/** A source of columns: a warehouse, a file of CREATE TABLE statements, a dbt project. */
export interface Catalog {
  /** The SQL its tables are read with; undefined when the catalog is only a list of columns. */
  readonly dialect: DialectName | undefined

  /**
   * The databases of its tables were written down by somebody, so that they are named in the output even when nobody
   * asked by them. Otherwise a database is that of the connection, as it is for dbt. Default false.
   */
  readonly statesDatabase?: boolean

  /** Warnings from opening the catalog, each once. Default: nothing. */
  readonly warnings?: readonly Warning[]

  /**
   * Describes every table that the selector names, in the order of their stored names. The number
   * of queries does not grow with the number of tables. Tables that are named and not there are
   * left out of the answer.
   *
   * @throws {StagecraftError} CONNECTION_FAILED when the catalog cannot be read.
   */
  tables(selector: TableSelector): Promise<readonly CatalogTable[]>

  /**
   * Describes one table. A part without a schema is looked up in the catalog's default schema.
   *
   * @throws {StagecraftError} INVALID_SOURCE with the nearest names when there is no such table;
   * CONNECTION_FAILED when the catalog cannot be read.
   */
  describe(source: SourceName): Promise<CatalogTable>

  /**
   * Runs one statement that only reads, in a session that is closed to writing and has a time limit, and returns its
   * rows. Absent where the tables come from a file. Whoever calls it answers for the statement.
   *
   * @throws {StagecraftError} CONNECTION_FAILED when the warehouse refuses it or is too slow; or the signal's reason.
   */
  query?(statement: string, options?: QueryOptions): Promise<readonly Readonly<Record<string, unknown>>[]>

  /**
   * Estimates how large tables of this catalog are, in their order, in a fixed number of queries. Absent where the
   * tables come from a file.
   *
   * @throws {StagecraftError} CONNECTION_FAILED when the catalog cannot be read.
   */
  sizes?(tables: readonly CatalogTable[], options?: SizesOptions): Promise<readonly TableSize[]>

  /**
   * Ends all statements that are under way, in the warehouse as well; they then fail, and the catalog goes on. Absent where
   * reading is short, or only the signal of `query` ends what it runs.
   */
  cancel?(): void

  /** Lets go of connections and files. May be called more than once. */
  close(): Promise<void>
}
