import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
} from 'kysely'
import type pg from 'pg'
import { storeFailure } from '../errors/store-failure.ts'
import type { TransactionGuard } from '../transaction-guard.ts'
import { tableNames } from './table-names.ts'

/** Kysely's dialect, with the errors of ours, the guard, and without its lock for migrations. */
export function postgresDialect(pool: pg.Pool, guard: TransactionGuard): Dialect {
  const dialect = new PostgresDialect({ pool })
  return {
    createAdapter: () => {
      const adapter = new PostgresAdapter()
      // `migrate` holds a lock of its transaction; Kysely's stays with the connection when a migration fails
      return Object.assign(adapter, {
        acquireMigrationLock: async () => {},
        releaseMigrationLock: async () => {},
      })
    },
    createDriver: () => guarded(new PostgresDriver({ pool }), guard),
    createIntrospector: tableNames,
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

function guarded(driver: PostgresDriver, guard: TransactionGuard): Driver {
  const wrapped = new WeakSet<DatabaseConnection>()
  const acquire = driver.acquireConnection.bind(driver)
  const rollback = driver.rollbackTransaction.bind(driver)
  return Object.assign(driver, {
    acquireConnection: async () => {
      guard.assertOutside()
      const connection = await acquire().catch(rethrow)
      if (!wrapped.has(connection)) translateErrors(connection)
      wrapped.add(connection)
      return connection
    },
    // Kysely throws the connection away then, which rolls back; the error that led here says more than this one
    rollbackTransaction: (connection: DatabaseConnection) =>
      rollback(connection as Parameters<typeof rollback>[0]).catch(() => {}),
  })
}

function translateErrors(connection: DatabaseConnection): void {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = (query, options) => execute<never>(query, options).catch(rethrow)
}

function rethrow(error: unknown): never {
  throw storeFailure(error)
}
