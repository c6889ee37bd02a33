import type { Socket } from 'node:net'
import { type Catalog, loadPackage, StagecraftError } from '@stagecraft/spec'
import { type Address, parseAddress } from '../network/address.ts'
import {
  CONNECT_SECONDS,
  connectionFailed,
  QUERY_SECONDS,
  type Target,
} from '../network/connection-failed.ts'
import { MYSQL } from '../network/servers.ts'
import type { SocketFactory } from '../network/socket.ts'
import { openWarehouse } from '../warehouse/warehouse-catalog.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { mysqlSession, type Query } from './session.ts'

/** The members of a client that are used; connections and pools of `mysql2/promise` have them. */
export interface MysqlClient {
  query(text: string, values?: unknown[]): Promise<readonly [rows: unknown, ...rest: unknown[]]>
}

export type MysqlOptions =
  | {
      /** `mysql://user:password@host:3306/database`; `mariadb://` is the same. The database is the default schema, and all that is read unless another one is named. */
      readonly connectionString: string
      /** Stops the opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
      /** Creates the sockets. @default that of mysql2 */
      readonly socket?: SocketFactory | undefined
    }
  | {
      /** A client of the caller's, who sets its time limits and closes it. */
      readonly client: MysqlClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * The catalog of a MySQL (from 5.7 on) or MariaDB (from 10.2 on) server.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the server does not answer within 10 s or refuses; INVALID_REQUEST for
 * an invalid connection string, or if the package mysql2 is not installed.
 */
export async function mysql(options: MysqlOptions): Promise<Catalog> {
  const warehouse = 'client' in options ? givenClient(options.client) : await ownPool(options)
  return openWarehouse(warehouse, options.signal)
}

function givenClient(client: MysqlClient): Warehouse {
  const session = mysqlSession(queryOf(client, { engine: 'MySQL' }))
  return { dialect: 'mysql', withSession: (work) => work(session), close: async () => {} }
}

type OwnPool = Extract<MysqlOptions, { readonly connectionString: string }>

async function ownPool({ connectionString, socket }: OwnPool): Promise<Warehouse> {
  const uri = connectionString.replace(/^mariadb:/i, 'mysql:')
  const address = parseAddress(uri, MYSQL)
  assertQuiet(address)
  const { createPool } = await loadPackage({
    packageName: 'mysql2',
    neededBy: 'this catalog',
    load: () => import('mysql2/promise'),
  })
  const stream = ({ config }: StreamOptions): Socket | undefined =>
    socket?.().connect(config.port, config.host)
  const pool = createPool({
    uri,
    connectTimeout: CONNECT_SECONDS * 1000,
    connectionLimit: 4,
    ...(socket && { stream }),
  })
  const cancel = async (thread: number): Promise<void> => {
    await pool.query(`kill query ${thread}`)
  }
  let closed: Promise<void> | undefined
  return {
    dialect: 'mysql',
    withSession: async (work) => {
      const client = await pool.getConnection().catch((error: unknown) => {
        throw connectionFailed(error, address)
      })
      try {
        const query = queryOf(client, address)
        for (const setting of SETTINGS) await query(setting)
        return await work(mysqlSession(query, () => cancel(client.threadId)))
      } finally {
        client.release()
      }
    },
    close: () => (closed ??= pool.end()),
  }
}

/**
 * With `debug`, mysql2 prints all that is sent and received.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an address that has it.
 */
function assertQuiet({ option }: Address): void {
  if (option('debug') === undefined) return
  const expected = 'an address without it, since all that is read would be printed'
  throw StagecraftError.invalid({ path: 'debug', expected, received: 'debug' })
}

/** The part of it that mysql2 hands to a function which makes its sockets. */
interface StreamOptions {
  readonly config: { readonly port: number; readonly host: string }
}

/** The time limit has another name and unit in MariaDB; either server takes the other's part for a comment. */
const SETTINGS = [
  'set session transaction read only',
  `set session sql_mode = '' /*!50708 , session max_execution_time = ${QUERY_SECONDS * 1000} */` +
    ' /*!80000 , session information_schema_stats_expiry = 0 */' + // else sizes are those of yesterday
    ` /*M! , session max_statement_time = ${QUERY_SECONDS} */`,
]

function queryOf(client: MysqlClient, target: Target): Query {
  return async <Row>(text: string, values?: readonly unknown[]) => {
    try {
      const [rows] = await client.query(text, values && [...values])
      return rows as readonly Row[]
    } catch (error) {
      throw connectionFailed(error, target)
    }
  }
}
