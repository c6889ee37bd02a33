import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { storeFailure } from '../errors/store-failure.ts'
import type { TransactionGuard } from '../transaction-guard.ts'
import type { SqliteFile } from './sqlite-file.ts'
import { untilFree, writeLock } from './write-lock.ts'

/** The time that a statement waits for other transactions, in milliseconds. */
const PATIENCE = 30_000

/** A connection as Kysely defines it. All of them share the two connections to the file. */
interface Session extends DatabaseConnection {
  begin(): Promise<void>
  end(statement: 'commit' | 'rollback'): Promise<void>
}

/**
 * One connection writes, one transaction after another. Another one reads, so that queries do not wait for
 * transactions: in WAL mode they see the last committed state.
 */
function sqliteDriver(file: SqliteFile, guard: TransactionGuard): Driver {
  const lock = writeLock(PATIENCE)
  const sessionOf = (connection: DatabaseConnection): Session => connection as Session
  return {
    init: async () => {},
    acquireConnection: async () => {
      guard.assertOutside()
      return createSession(file, lock)
    },
    releaseConnection: async () => {},
    beginTransaction: (connection) => sessionOf(connection).begin(),
    commitTransaction: (connection) => sessionOf(connection).end('commit'),
    rollbackTransaction: (connection) => sessionOf(connection).end('rollback'),
    destroy: async () => {
      const release = await lock.acquire()
      file.close()
      release()
    },
  }
}

function createSession({ read, write }: SqliteFile, lock: ReturnType<typeof writeLock>): Session {
  let release: (() => void) | undefined
  const run = async (work: () => QueryResult<unknown>): Promise<QueryResult<unknown>> => {
    try {
      return await untilFree(work, PATIENCE)
    } catch (error) {
      throw storeFailure(error)
    }
  }
  const writeAlone = async (text: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> => {
    const done = await lock.acquire()
    return run(() => write(text, parameters)).finally(done)
  }
  return {
    begin: async () => {
      release = await lock.acquire()
      // Take the lock immediately: a lock at the first write is refused if another process wrote since the first read.
      await run(() => write('begin immediate', [])).catch((error: unknown) => {
        release?.()
        throw error
      })
    },
    end: async (statement) => {
      let isOver = statement === 'rollback' // Kysely also rolls back after a failed commit.
      try {
        // Some failures have already rolled back.
        if (write.isInTransaction()) await run(() => write(statement, []))
        isOver = true
      } finally {
        if (isOver) release?.()
        if (isOver) release = undefined
      }
    },
    executeQuery: async <Row>({ parameters, query, sql }: CompiledQuery): Promise<QueryResult<Row>> => {
      const result = release
        ? await run(() => write(sql, parameters))
        : isRead(query, sql)
          ? await run(() => read(sql, parameters))
          : await writeAlone(sql, parameters)
      return result as QueryResult<Row>
    },
    // oxlint-disable-next-line require-yield -- it is the signature that Kysely asks for
    streamQuery: async function* () {
      throw new Error('expected a query with a limit, got one that streams; read it in pages')
    },
  }
}

function isRead(query: CompiledQuery['query'], text: string): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*select\b/i.test(text))
}

/** Kysely's own adapter does not create tables in a transaction, although SQLite can, and uses a single connection. */
const ADAPTER: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: true,
  supportsReturning: true,
  supportsTransactionalDdl: true,
  // `migrate` already holds the lock.
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
