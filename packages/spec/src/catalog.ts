import type { DialectName } from './names.ts'
import type { SourceName, TableSelector } from './source-name.ts'
import type { CatalogTable } from './table.ts'
import type { Warning } from './generation.ts'

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
   * @throws {StagecraftError} CONNECTION_FAILED when the warehouse refuses it or is too slow.
   */
  query?(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>

  /** Lets go of connections and files. May be called more than once. */
  close(): Promise<void>
}
