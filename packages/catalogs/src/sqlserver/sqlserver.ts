import type { Catalog } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { SQLSERVER } from '../network/servers.ts'
import type { SocketFactory } from '../network/socket.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { numberPlaceholders, type Row, type Statement } from '../warehouse/statement.ts'
import { configOf, loadMssql, type Mssql, withCause } from './driver.ts'
import { isSystem, SCHEMAS, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

export interface SqlserverOptions {
  /** `sqlserver://user:password@host:1433/database/schema`; with TLS, unless `?encrypt=false`. */
  readonly text: string
  /** Cancels the running statement, also in the server. */
  readonly signal?: AbortSignal | undefined
  /** Creates the sockets. @default the sockets of the driver */
  readonly socket?: SocketFactory | undefined
  /** @default the package mssql */
  readonly driver?: Mssql
}

/**
 * Opens the catalog of a database of SQL Server 2016 or later, or of Azure SQL.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the server does not answer within 10 s or refuses;
 * INVALID_REQUEST for an invalid address, or if the package mssql is not installed.
 */
export async function sqlserver({ driver, signal, socket, text }: SqlserverOptions): Promise<Catalog> {
  const address = parseAddress(text, SQLSERVER)
  const { ConnectionPool } = driver ?? (await loadMssql())
  const pool = new ConnectionPool(configOf(address, socket))
  pool.on('error', () => {}) // a broken connection fails its request; without a listener it would end the process
  let connected: Promise<unknown> | undefined
  let closed: Promise<void> | undefined
  const run = async (statement: Statement, stop: AbortSignal): Promise<readonly Row[]> => {
    const request = pool.request()
    const onAbort = (): void => request.cancel()
    try {
      await (connected ??= pool.connect())
      stop.throwIfAborted()
      stop.addEventListener('abort', onAbort)
      for (const [index, value] of statement.values.entries()) request.input(`p${index + 1}`, value)
      const answer = await request.query(textOf(statement))
      return answer.recordset ?? []
    } catch (error) {
      throw stop.aborted ? stop.reason : connectionFailed(withCause(error), address)
    } finally {
      stop.removeEventListener('abort', onAbort)
    }
  }
  return openMetadata(
    {
      dialect: 'sqlserver',
      database: address.path[0],
      defaultSchema: address.path[1],
      schemas: SCHEMAS,
      isSystem,
      statements,
      toTables,
      run,
      close: () => (closed ??= pool.close()),
    },
    signal,
  )
}

/** Returns the text to run. SQL Server has no read-only transactions, so the caller's statement is rolled back. */
function textOf(statement: Statement): string {
  const text = numberPlaceholders(statement, (position) => `@p${position}`)
  return statement.name === 'query'
    ? `set xact_abort on; begin transaction; ${text}; rollback transaction`
    : text
}
