import { type Catalog, loadPackage } from '@stagecraft/spec'
import { parseAddress } from '../network/address.ts'
import {
  CONNECT_SECONDS,
  connectionFailed,
  type Target,
  QUERY_SECONDS,
} from '../network/connection-failed.ts'
import { POSTGRES } from '../network/servers.ts'
import type { SocketFactory } from '../network/socket.ts'
import { openWarehouse } from '../warehouse/warehouse-catalog.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'
import { postgresSession, type Query } from './session.ts'

/** The parts of a client that the catalog uses. `Client` and `Pool` of pg, and PGlite, have them. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

export type PostgresOptions =
  | {
      /** `postgres://user:password@host:5432/database`, with the options of pg: `?sslmode=require`. */
      readonly connectionString: string
      /** Cancels opening, which then throws the signal's reason. */
      readonly signal?: AbortSignal | undefined
      /** Creates the sockets. @default the sockets of pg */
      readonly socket?: SocketFactory | undefined
    }
  | {
      /** The caller's client; the caller sets its time limits and closes it. */
      readonly client: PostgresClient
      readonly signal?: AbortSignal | undefined
    }

/**
 * Opens the catalog of a PostgreSQL database, version 12 or later.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if the server does not answer within 10 s or refuses;
 * INVALID_REQUEST for an invalid connection string, or if the package pg is not installed.
 */
export async function postgres(options: PostgresOptions): Promise<Catalog> {
  const warehouse = 'client' in options ? givenClient(options.client) : await ownPool(options)
  return openWarehouse(warehouse, options.signal)
}

function givenClient(client: PostgresClient): Warehouse {
  const session = postgresSession(queryOf(client, { engine: 'PostgreSQL' }))
  return { dialect: 'postgres', withSession: (work) => work(session), close: async () => {} }
}

type OwnPool = Extract<PostgresOptions, { readonly connectionString: string }>

/**
 * Creates a pool, which replaces broken connections. Settings apply to one transaction only, because behind a
 * pooler such as pgbouncer another client uses the connection next.
 */
async function ownPool({ connectionString, socket }: OwnPool): Promise<Warehouse> {
  const address = parseAddress(connectionString, POSTGRES)
  const { default: pg } = await loadPackage({
    packageName: 'pg',
    neededBy: 'this catalog',
    load: () => import('pg'),
  })
  const pool = new pg.Pool({
    connectionString,
    ...(socket && { stream: socket }),
    max: 4,
    connectionTimeoutMillis: CONNECT_SECONDS * 1000,
    query_timeout: (QUERY_SECONDS + CONNECT_SECONDS) * 1000, // for a server that no longer answers at all
    allowExitOnIdle: true,
  })
  // a broken connection fails its query; without a listener it would also end the process
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const used = new WeakSet<object>()
  const begin = async () => {
    for (;;) {
      const client = await pool.connect().catch((error: unknown) => {
        throw connectionFailed(error, address)
      })
      const query = queryOf(client, address)
      try {
        await query(BEGIN)
        used.add(client)
        return { client, query }
      } catch (error) {
        client.release(true)
        // a connection lost while idle may be handed out unnoticed; the next one works
        if (!used.has(client)) throw error
      }
    }
  }
  // on another connection, because this one is waiting for its answer
  const cancel = async (client: object): Promise<void> => {
    await pool.query('select pg_cancel_backend($1)', [Reflect.get(client, 'processID')])
  }
  let closed: Promise<void> | undefined
  return {
    dialect: 'postgres',
    withSession: async (work) => {
      const { client, query } = await begin()
      try {
        const result = await work(postgresSession(query, () => cancel(client)))
        await query('commit')
        client.release()
        return result
      } catch (error) {
        await client.query('rollback').then(
          () => client.release(),
          () => client.release(true),
        )
        throw error
      }
    },
    close: () => (closed ??= pool.end()),
  }
}

/** Begins a read-only transaction with a time limit. A shorter limit of the role or the database remains. */
const BEGIN = `begin transaction isolation level repeatable read, read only; select set_config('statement_timeout', '${QUERY_SECONDS}s', true) from pg_settings where name = 'statement_timeout' and setting::integer not between 1 and ${QUERY_SECONDS * 1000}`

function queryOf(client: PostgresClient, target: Target): Query {
  return async <Row>(text: string, values?: readonly unknown[]) => {
    try {
      return (await client.query(text, values && [...values])).rows as readonly Row[]
    } catch (error) {
      throw connectionFailed(error, target)
    }
  }
}
