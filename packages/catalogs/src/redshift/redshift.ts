import { type Catalog, loadPackage, StagecraftError } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import { connectionFailed } from '../network/connection-failed.ts'
import { REDSHIFT } from '../network/servers.ts'
import { openMetadata } from '../warehouse/metadata-warehouse.ts'
import { numberPlaceholders, type Row, type Statement } from '../warehouse/statement.ts'
import { beginning, configOf, type RedshiftOptions } from './connection.ts'
import { findLogin } from './iam.ts'
import { isSystem, SCHEMAS, statements } from './statements.ts'
import { toTables } from './to-tables.ts'

/**
 * Opens the catalog of a Redshift database, with the package pg.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the cluster does not answer within 10 s or refuses;
 * INVALID_REQUEST for an invalid address, or if the package pg is not installed.
 */
export async function redshift(options: RedshiftOptions): Promise<Catalog> {
  const { environment = process.env, fetch, signal, socket, text } = options
  const address = parseAddress(text, REDSHIFT)
  const { default: pg } = await loadPackage({
    packageName: 'pg',
    neededBy: 'the catalog of Redshift',
    load: () => import('pg'),
  })
  const [database, schema] = address.path
  const login = await findLogin(address, { environment, fetch }, signal)
  const pool = new pg.Pool({ ...configOf(address, login), ...(socket && { stream: socket }) })
  pool.on('error', () => {}) // a broken connection fails its query; without a listener it would end the process
  const failed = (error: unknown): StagecraftError =>
    error instanceof StagecraftError ? error : connectionFailed(error, address)
  const run = async (statement: Statement, stop: AbortSignal): Promise<readonly Row[]> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw failed(error)
    })
    // on another connection, because this one is waiting for its answer
    const cancel = async (): Promise<void> => {
      await pool.query('select pg_cancel_backend($1)', [Reflect.get(client, 'processID')])
    }
    const onAbort = (): void => void cancel().catch(() => undefined) // the statement ends at its time limit
    try {
      await client.query(beginning(address))
      stop.throwIfAborted()
      stop.addEventListener('abort', onAbort)
      const { rows } = await client.query<Row>(
        numberPlaceholders(statement, (at) => `$${at}`),
        [...statement.values],
      )
      await client.query('commit')
      client.release()
      return rows
    } catch (error) {
      client.release(true)
      throw stop.aborted ? stop.reason : failed(error)
    } finally {
      stop.removeEventListener('abort', onAbort)
    }
  }
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => (closed ??= pool.end())
  return openMetadata(
    {
      dialect: 'redshift',
      database,
      defaultSchema: schema,
      schemas: SCHEMAS,
      isSystem,
      statements,
      toTables,
      run,
      close,
    },
    signal,
  )
}
