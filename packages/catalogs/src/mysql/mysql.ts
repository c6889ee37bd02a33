import type { Socket } from 'node:net'
import { type Catalog, loadPackage } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
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
import { assertOptions } from './options.ts'
import { mysqlSession, type Query } from './session.ts'

/** The parts of a client that the catalog uses. Connections and pools of `mysql2/promise` have them. */
export interface MysqlClient {
  query(text: string, values?: unknown[]): Promise<readonly [rows: unknown, ...rest: unknown[]]>
}

export type MysqlOptions =
  | {
      /**
       * `mysql://user:password@host:3306/database`; `mariadb://` is the same. The database is the default
       * schema, and the only one that is read by default.
       */
      readonly connectionString: string
      /** Cancels opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
      /** Creates the sockets. @default the sockets of mysql2 */
      readonly socket?: SocketFactory | undefined
    }
  | {
      /** The caller's client; the caller sets its time limits and closes it. */
      readonly client: MysqlClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * Opens the catalog of a MySQL (5.7 or later) or MariaDB (10.2 or later) server.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the server does not answer within 10 s or refuses;
 * INVALID_REQUEST for an invalid connection string, or if the package mysql2 is not installed.
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

/**
 * Creates a pool, which replaces broken connections.
 *
 * @param seconds The time limit of one query.
 */
export async function ownPool(
  { connectionString, socket }: OwnPool,
  seconds = QUERY_SECONDS,
): Promise<Warehouse> {
  const uri = connectionString.replace(/^mariadb:/i, 'mysql:')
  const address = parseAddress(uri, MYSQL)
  assertOptions(uri)
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
  const open = new Set<{ destroy: () => void }>()
  pool.on('connection', (connection) => open.add(connection))
  const used = new WeakSet<object>()
  const begin = async () => {
    for (;;) {
      const client = await pool.getConnection().catch((error: unknown) => {
        throw connectionFailed(error, address)
      })
      const query = queryOf(limited(client, seconds), address)
      try {
        for (const setting of settings(seconds)) await query(setting)
        used.add(client.connection)
        return { client, query }
      } catch (error) {
        client.destroy()
        // a connection lost while idle may be handed out unnoticed; the next one works
        if (!used.has(client.connection)) throw error
      }
    }
  }
  const cancel = async (thread: number): Promise<void> => {
    await pool.query(`kill query ${thread}`)
  }
  let closed: Promise<void> | undefined
  return {
    dialect: 'mysql',
    withSession: async (work) => {
      const { client, query } = await begin()
      try {
        return await work(mysqlSession(query, () => cancel(client.threadId)))
      } finally {
        client.release()
      }
    },
    close: () => (closed ??= endWithin(pool, seconds, open)),
  }
}

/** Closes the connection properly, or drops it if the server does not answer. */
async function endWithin(
  pool: { end(): Promise<void> },
  seconds: number,
  connections: ReadonlySet<{ destroy: () => void }>,
): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const limit = setTimeout(resolve, Math.min(seconds, CONNECT_SECONDS) * 1000)
  const ended = pool.end()
  ended.catch(() => undefined) // failures after the limit are ignored
  await Promise.race([ended, late]).finally(() => clearTimeout(limit))
  for (const connection of connections) connection.destroy()
}

/**
 * The client waits longer than the server by this factor, so that it gives up only if the server no longer
 * answers.
 */
const LONGER = 7 / 6

/** Closes the connection if the server no longer answers. mysql2 alone would continue to wait on it. */
function limited(client: PoolClient, seconds: number): MysqlClient {
  const timeout = seconds * 1000 * LONGER
  return {
    query: async (sql, values) => {
      try {
        return await client.query({ sql, timeout, ...(values && { values }) })
      } catch (error) {
        if (Reflect.get(Object(error), 'code') === 'PROTOCOL_SEQUENCE_TIMEOUT') client.destroy()
        throw error
      }
    },
  }
}

/** The parts of a mysql2 connection that `limited` uses. */
interface PoolClient {
  destroy(): void
  query(options: {
    readonly sql: string
    readonly timeout: number
    readonly values?: unknown[]
  }): Promise<readonly [rows: unknown, ...rest: unknown[]]>
}

/** The parts of the options that mysql2 passes to a function that creates sockets. */
interface StreamOptions {
  readonly config: { readonly port: number; readonly host: string }
}

/**
 * Returns the settings of a session. MariaDB has another name and unit for the time limit; each server reads
 * the part of the other one as a comment.
 */
function settings(seconds: number): readonly string[] {
  return [
    'set session transaction read only',
    `set session sql_mode = '' /*!50708 , session max_execution_time = ${seconds * 1000} */` +
      ' /*!80000 , session information_schema_stats_expiry = 0 */' + // otherwise sizes may be a day old
      ` /*M! , session max_statement_time = ${seconds} */`,
  ]
}

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
