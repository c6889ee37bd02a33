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

/** The members of a client that are used; connections and pools of `mysql2/promise` have them. */
export interface MysqlClient {
  query(text: string, values?: unknown[]): Promise<readonly [rows: unknown, ...rest: unknown[]]>
}

export type MysqlOptions =
  | {
      /**
       * `mysql://user:password@host:3306/database`; `mariadb://` is the same. The database is the default schema,
       * and all that is read unless another one is named.
       */
      readonly connectionString: string
      /** Stops the opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
      /** Creates the sockets. @default that of mysql2 */
      readonly socket?: SocketFactory | undefined
    }
  | {
      /** A client of the caller, who sets its time limits and closes it. */
      readonly client: MysqlClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * The catalog of a MySQL (from 5.7 on) or MariaDB (from 10.2 on) server.
 *
 * @throws {StagecraftError} CONNECTION_FAILED when the server does not answer within 10 s or refuses; INVALID_REQUEST
 * for an invalid connection string, or if the package mysql2 is not installed.
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

/** The client waits this much longer than the server, so it only gives up on a server that no longer answers. */
const LONGER = 7 / 6

/** A client that leaves a server which no longer answers; mysql2 would go on waiting on the same connection. */
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

/** The part of a connection of mysql2 that takes a time limit. */
interface PoolClient {
  destroy(): void
  query(options: {
    readonly sql: string
    readonly timeout: number
    readonly values?: unknown[]
  }): Promise<readonly [rows: unknown, ...rest: unknown[]]>
}

/** The part of it that mysql2 hands to a function which makes its sockets. */
interface StreamOptions {
  readonly config: { readonly port: number; readonly host: string }
}

/** The time limit has another name and unit in MariaDB; each server reads the other's part as a comment. */
function settings(seconds: number): readonly string[] {
  return [
    'set session transaction read only',
    `set session sql_mode = '' /*!50708 , session max_execution_time = ${seconds * 1000} */` +
      ' /*!80000 , session information_schema_stats_expiry = 0 */' + // else sizes are those of yesterday
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
