import { type Dialect, type DialectAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { TransactionGuard } from '../transaction-guard.ts'
import { sqliteDriver } from './sqlite-driver.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** Kysely's own says that tables cannot be made within a transaction, which SQLite can, and uses one connection for all. */
const ADAPTER: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: true,
  supportsReturning: true,
  supportsTransactionalDdl: true,
  // `migrate` holds the lock already
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
}

export function sqliteDialect(file: SqliteFile, guard: TransactionGuard): Dialect {
  return {
    createAdapter: () => ADAPTER,
    createDriver: () => sqliteDriver(file, guard),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
