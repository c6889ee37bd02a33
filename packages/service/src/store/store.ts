import type { Kysely, RawBuilder, Transaction } from 'kysely'
import type { Database } from './schema.ts'

/** The engine that stores the rows: a local file, or a PostgreSQL server that processes share. */
export type Engine = 'sqlite' | 'postgres'

/** The storage of the service. The same queries run on both engines and return the same rows. */
export interface Store {
  /**
   * For a single statement. It throws inside a transaction, where the transaction's handle must be used: another
   * connection does not see its rows, and on a single connection both would wait for each other.
   */
  readonly db: Kysely<Database>
  readonly engine: Engine
  /**
   * Runs the work in a transaction. It runs again after a deadlock, a serialization failure or a connection lost before
   * the commit, so it must change nothing but the store.
   *
   * @throws {StagecraftError} CONNECTION_FAILED if the store cannot be reached, or stays busy.
   */
  transaction<Result>(work: (transaction: Transaction<Database>) => Promise<Result>): Promise<Result>
  /** The time of the database's clock as an expression, in milliseconds since 1970, for comparisons in a query. */
  nowMs(): RawBuilder<number>
  /**
   * The same, evaluated once for the statement. PostgreSQL evaluates a running clock again for each row, and cannot
   * use an index for a comparison with it.
   */
  nowOnce(): RawBuilder<number>
  /** Reads the time of the database's clock, through the given transaction if there is one. */
  now(transaction?: Transaction<Database>): Promise<number>
  /** Writes a copy of the whole store as of one moment to a file. See `backup`. */
  backup(file: string): Promise<void>
  /** Resolves when running work has ended. A second call does nothing. */
  close(): Promise<void>
}
