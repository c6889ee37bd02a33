import { StagecraftError } from '@stagecraft/spec'
import type { Address } from './address.ts'

/** The time limit for connecting. */
export const CONNECT_SECONDS = 10
/** The time limit of one query. */
export const QUERY_SECONDS = 60

interface Reason {
  readonly codes: readonly string[]
  /** Matches the message if the driver gives no code. */
  readonly message?: RegExp
  /**
   * The reason, with placeholders: `{user}`, `{database}` and `{message}`, the first line of the driver's
   * message.
   */
  readonly reason: string
  /** The remedy. */
  readonly check: string
}

/**
 * Codes of Node's network errors, of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), of
 * MySQL and MariaDB (https://mariadb.com/kb/en/mariadb-error-codes/), of ClickHouse by their numbers
 * (https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp), of Trino
 * (https://trino.io/docs/current/develop/spi-overview.html), of SQL Server by their numbers, and of HTTP.
 */
const REASONS: readonly Reason[] = [
  {
    codes: ['ECONNREFUSED'],
    message: /could not connect \(sequence\)/i, // mssql
    reason: 'connection refused',
    check: 'that the server runs and listens there',
  },
  {
    codes: ['ENOTFOUND', 'EAI_AGAIN'],
    message: /getaddrinfo (?:ENOTFOUND|EAI_AGAIN)/, // mssql
    reason: 'host not found',
    check: 'the spelling of the host',
  },
  {
    codes: ['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'],
    message:
      /connection timeout|timeout expired|timeout exceeded when trying to connect|failed to connect to .+ in \d+ms/i, // pg, mssql
    reason: `timeout after ${CONNECT_SECONDS} s`,
    check: 'host, port and firewall',
  },
  {
    codes: ['UNSAFE_ADDRESS'],
    message: /resolves to an address that the policy blocks/, // mssql
    reason: 'this service may not connect to its address',
    check: 'that its network is allowed (STAGECRAFT_CONNECTION_NETWORKS), and that a public host uses HTTPS',
  },
  { codes: ['EHOSTUNREACH', 'ENETUNREACH'], reason: 'host unreachable', check: 'the network and the host' },
  {
    codes: ['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'UND_ERR_SOCKET'],
    reason: 'the server closed the connection',
    check: 'that it is a server of this kind, and read its log',
  },
  { codes: ['ENOENT'], reason: 'no such socket', check: 'the path of the socket' },
  {
    codes: [],
    message: /password must be a (?:non-empty )?string/i, // pg
    reason: 'the server requires a password, and none was given',
    check: 'the connection string',
  },
  {
    codes: [
      '28P01',
      'ER_ACCESS_DENIED_ERROR',
      'ER_ACCESS_DENIED_NO_PASSWORD_ERROR',
      'CLICKHOUSE_192',
      'CLICKHOUSE_193',
      'CLICKHOUSE_194',
      'CLICKHOUSE_516',
      'HTTP_401',
    ],
    reason: 'password authentication failed for user {user}',
    check: 'user and password',
  },
  {
    codes: ['MSSQL_18456'],
    reason: 'the login of user {user} to database {database} failed',
    check: 'user and password, and that the database exists and the user may open it',
  },
  { codes: ['MSSQL_LOGIN'], reason: '{message}', check: 'the login, and the firewall of the server' },
  {
    codes: ['EENCRYPT'], // mssql
    reason: 'the server requires TLS',
    check: 'the address, which turns TLS off with encrypt=false',
  },
  {
    codes: ['28000'],
    reason: 'access refused for user {user}',
    check: 'that the user exists and may connect from here, perhaps only with ?sslmode=require',
  },
  {
    codes: ['3D000', 'ER_BAD_DB_ERROR', 'CLICKHOUSE_81'],
    reason: 'database {database} does not exist',
    check: 'the name after the last /',
  },
  {
    codes: ['ER_DBACCESS_DENIED_ERROR'],
    reason: 'user {user} may not use database {database}',
    check: 'the grants of the user',
  },
  {
    codes: ['42501', 'ER_TABLEACCESS_DENIED_ERROR', 'ER_SPECIFIC_ACCESS_DENIED_ERROR'],
    reason: 'user {user} may not read the requested tables',
    check: 'the grants of the user',
  },
  {
    codes: [
      'CLICKHOUSE_291',
      'CLICKHOUSE_497',
      'PERMISSION_DENIED',
      'HTTP_403',
      'MSSQL_229', // on an object
      'MSSQL_230', // on a column
      'MSSQL_262', // in a database
      'MSSQL_300', // VIEW SERVER STATE and the like
      'MSSQL_916', // of another database
    ],
    reason: '{message}',
    check: 'the grants of user {user}',
  },
  {
    codes: ['CLICKHOUSE_159', 'EXCEEDED_TIME_LIMIT', 'ERR_NO_ANSWER'],
    reason: '{message}', // each server has a limit of its own
    check: 'the load of the server, or read one schema at a time',
  },
  {
    codes: ['CLICKHOUSE_158', 'CLICKHOUSE_241', 'CLICKHOUSE_307', 'CLICKHOUSE_396', 'EXCEEDED_SCAN_LIMIT'],
    reason: '{message}',
    check: 'the limits of the user and of the connection string, or read less at a time',
  },
  {
    codes: ['HTTP_429', 'HTTP_502', 'HTTP_503', 'HTTP_504'],
    reason: 'the server is busy, or its gateway has no server',
    check: 'its state, and try again',
  },
  {
    codes: ['53300', 'ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'CLICKHOUSE_202'],
    reason: 'too many connections',
    check: 'the connection limit of the server, and try again',
  },
  {
    codes: ['57P03'],
    reason: 'the server is starting up or shutting down',
    check: 'its state, and try again',
  },
  {
    codes: ['57014'],
    reason: `a query timed out, after ${QUERY_SECONDS} s or the shorter limit of the role`,
    check: 'the load of the server, or read one schema at a time',
  },
  {
    codes: ['ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT', 'PROTOCOL_SEQUENCE_TIMEOUT'],
    message:
      /query read timeout|timeout: request failed to complete|failed to cancel request|max_statement_time exceeded/i, // pg, mssql, MariaDB
    reason: `a query timed out after ${QUERY_SECONDS} s`,
    check: 'the load of the server, or read one schema at a time',
  },
  {
    codes: [
      'CERT_HAS_EXPIRED',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'HANDSHAKE_SSL_ERROR',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    reason: 'the certificate of the server is not trusted',
    check: 'the TLS options of the connection string',
  },
  {
    codes: ['MSSQL_NO_TLS'],
    reason: 'the server offers no TLS, so the login was not sent',
    check: 'that it is the right server; in a network that you trust, encrypt=false does without TLS',
  },
  {
    codes: [],
    message: /does not support SSL connections/i, // pg
    reason: 'the server offers no TLS',
    check: 'that it is the right server; in a network that you trust, sslmode=disable does without TLS',
  },
  {
    codes: ['EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    reason: 'the server does not speak TLS at this port',
    check: 'the port, and switch TLS off if the server has none',
  },
]

/** The target of a read: a server, or the caller's client with an unknown address. */
export type Target = Address | Pick<Address, 'engine'>

/**
 * Creates the error for a server that does not answer or refuses. It has no cause, because drivers attach the
 * connection with its password to errors.
 */
export function connectionFailed(error: unknown, target: Target): StagecraftError {
  const address = 'host' in target ? target : undefined
  const { check: advice, reason: pattern } = findReason(error, address)
  const message = messageOf(error)
  const fill = (text: string): string =>
    text
      .replace('{user}', () => address?.user ?? 'of the client')
      .replace('{database}', () => address?.database ?? 'of the client')
      .replace('{message}', () => (address?.holdsSecret(message) ? 'the server refused' : message))
  const [reason, check] = [fill(pattern), fill(advice)]
  return refused({ reason, check }, target)
}

/**
 * Creates the error for a reason that the warehouse gave. Reason and check must not contain a secret;
 * `details` are for programs.
 */
export function refused(
  { check, reason }: Pick<Reason, 'reason' | 'check'>,
  target: Target,
  details: Readonly<Record<string, string>> = {},
): StagecraftError {
  const address = 'host' in target ? target : undefined
  const where = address ? `at ${address.host}:${address.port}` : 'through the given client'
  const suggestion = `check ${check}`
  return new StagecraftError(
    'CONNECTION_FAILED',
    `cannot read ${target.engine} ${where}: ${reason}; ${suggestion}`,
    {
      details: { ...details, ...(address && { host: address.host, port: address.port }), reason, suggestion },
    },
  )
}

function findReason(error: unknown, address: Address | undefined): Pick<Reason, 'reason' | 'check'> {
  const code = codeOf(error)
  const message = messageOf(error)
  const known = REASONS.find(({ codes }) => codes.includes(code))
  if (known) return known
  const unnamed = REASONS.find(({ message: pattern }) => pattern?.test(message))
  if (unnamed) return unnamed
  const reason = message === '' || address?.holdsSecret(message) ? 'the driver gave no reason' : message
  return { reason, check: 'the connection string and the log of the server' }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/\.$/, '') : ''
}

function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
