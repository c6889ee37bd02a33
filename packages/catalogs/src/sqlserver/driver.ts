import { loadPackage, StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { CONNECT_SECONDS, QUERY_SECONDS } from '../network/connection-failed.ts'
import type { SocketFactory } from '../network/socket.ts'
import type { Row } from '../warehouse/statement.ts'
import { type Connector, connectorOf, NO_TLS } from './connector.ts'
import { assertCredentials, PRINCIPAL } from './credentials.ts'

/** The parts of the package mssql that the catalog uses. It is not installed here, because it takes 75 MB. */
export interface Mssql {
  readonly ConnectionPool: new (config: MssqlConfig) => MssqlPool
}

interface MssqlPool {
  connect(): Promise<unknown>
  request(): MssqlRequest
  close(): Promise<void>
  on(event: 'error', listener: (error: unknown) => void): unknown
}

interface MssqlRequest {
  input(name: string, value: string): MssqlRequest
  query(text: string): Promise<{ readonly recordset?: readonly Row[] }>
  /** Sends ATTENTION, which cancels the statement in the server. */
  cancel(): void
}

/** https://github.com/tediousjs/node-mssql#configuration-1 */
export interface MssqlConfig {
  readonly server: string
  readonly port?: number
  readonly user?: string | undefined
  readonly password?: string | undefined
  readonly database?: string | undefined
  readonly authentication_type?: string
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly tenantId?: string | undefined
  readonly token?: string | undefined
  readonly options: Readonly<Record<string, string | boolean | Connector>>
  /** How many connections, and how many milliseconds a statement waits for one. */
  readonly pool: { readonly max: number; readonly acquireTimeoutMillis: number }
  /** Milliseconds. */
  readonly connectionTimeout: number
  /** Milliseconds. */
  readonly requestTimeout: number
}

const PACKAGE: string = 'mssql'

/** Loads mssql on first use. */
export async function loadMssql(): Promise<Mssql> {
  const loaded = await loadPackage({
    packageName: PACKAGE,
    neededBy: 'the catalog of SQL Server',
    load: () => import(PACKAGE) as Promise<Mssql & { readonly default?: Mssql }>,
  })
  return loaded.default ?? loaded
}

/**
 * Returns the configuration of the driver.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a named instance together with the caller's sockets, because
 * the driver would look up its port over UDP without them.
 */
export function configOf(address: Address, socket?: SocketFactory): MssqlConfig {
  const { host, option, path, port, user } = address
  const authentication = option('authentication')
  const isPrincipal = authentication === PRINCIPAL
  const encrypt = encryptionOf(address)
  const instance = option('instance')
  if (socket && instance !== undefined)
    throw StagecraftError.invalid({
      path: 'instance',
      expected: 'the port of the instance',
      received: 'its name',
    })
  assertCredentials(address)
  return {
    server: host,
    ...(instance === undefined && { port }),
    database: path[0],
    ...(authentication !== undefined && { authentication_type: authentication }),
    ...(isPrincipal
      ? { clientId: user, clientSecret: address.password() }
      : { user, password: address.password(), clientId: option('client_id') }),
    tenantId: option('tenant_id'),
    token: option('token'),
    options: {
      encrypt,
      trustServerCertificate: flagOf(address, 'trust_cert', false),
      appName: 'stagecraft',
      ...(instance !== undefined && { instanceName: instance }),
      connector: connectorOf(address, { needsTls: encrypt === true, socket }),
    },
    pool: { max: 2, acquireTimeoutMillis: QUERY_SECONDS * 1000 },
    connectionTimeout: CONNECT_SECONDS * 1000,
    requestTimeout: QUERY_SECONDS * 1000,
  }
}

/**
 * Returns the error with a code for its cause, because the driver has one code for all refused logins and one for all
 * failed statements. Of a login it knows only the last message, which hides that a database does not exist.
 * https://learn.microsoft.com/sql/relational-databases/errors-events/database-engine-events-and-errors
 */
export function withCause(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.message.includes(NO_TLS)) return coded(error, 'MSSQL_NO_TLS')
  const network = codeOfNetwork(error)
  if (network !== undefined) return coded(error, network)
  const { code, number } = error as Error & { readonly code?: unknown; readonly number?: unknown }
  if (code === 'ELOGIN')
    return coded(error, /^Login failed for user '.*'\.$/.test(error.message) ? 'MSSQL_18456' : 'MSSQL_LOGIN')
  return code === 'EREQUEST' && typeof number === 'number' ? coded(error, `MSSQL_${number}`) : error
}

/** Returns the code of the socket or of TLS, which the driver has only in a cause, or in the text. */
function codeOfNetwork(error: Error): string | undefined {
  const { cause, originalError } = error as Error & { readonly originalError?: unknown }
  const inner = cause ?? originalError
  if (inner instanceof Error) return codeOfNetwork(inner)
  const { code, message } = error as Error & { readonly code?: unknown }
  const own = typeof code === 'string' && !DRIVER_CODES.has(code) ? code : undefined
  return own ?? /\b(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENOTFOUND)\b/.exec(message)?.[0]
}

/** https://github.com/tediousjs/node-mssql#error-codes */
const DRIVER_CODES = new Set(
  'EALREADYCONNECTED EALREADYCONNECTING ECANCEL ECONNCLOSED EDRIVER EENCRYPT EINSTLOOKUP ELOGIN ENOTOPEN EREQUEST ESOCKET ETIMEOUT UNKNOWN'.split(
    ' ',
  ),
)

function coded({ message }: Error, code: string): Error {
  return Object.assign(new Error(message), { code })
}

/** TLS before the first message (`strict`), after it, or not at all. */
function encryptionOf(address: Address): boolean | 'strict' {
  return address.option('encrypt')?.toLowerCase() === 'strict' ? 'strict' : flagOf(address, 'encrypt', true)
}

/** @throws {StagecraftError} INVALID_REQUEST for other words, of which a slip would turn TLS off. */
function flagOf({ option }: Address, name: 'encrypt' | 'trust_cert', byDefault: boolean): boolean {
  const text = option(name)
  if (text === undefined) return byDefault
  if (/^(?:true|yes|1|mandatory)$/i.test(text)) return true
  if (/^(?:false|no|0|optional)$/i.test(text)) return false
  const expected = name === 'encrypt' ? 'true, false or strict' : 'true or false'
  throw StagecraftError.invalid({ path: name, expected, received: JSON.stringify(text) })
}
