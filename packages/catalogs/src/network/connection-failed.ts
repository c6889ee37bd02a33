import { StagecraftError } from '@stagecraft/spec'
import type { Address } from './address.ts'

/** The time limit for connecting. */
export const CONNECT_SECONDS = 10
/** The time limit of one query. */
export const QUERY_SECONDS = 60

interface Reason {
  readonly codes: readonly string[]
  /** Tells it where the driver gives no code. */
  readonly message?: RegExp
  /** The reason; `{user}` and `{database}` are filled in. */
  readonly reason: string
  /** The remedy. */
  readonly check: string
}

/**
 * Codes of Node's network errors, of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html), of MySQL
 * and MariaDB (https://mariadb.com/kb/en/mariadb-error-codes/).
 */
const REASONS: readonly Reason[] = [
  { codes: ['ECONNREFUSED'], reason: 'connection refused', check: 'that the server runs and listens there' },
  { codes: ['ENOTFOUND', 'EAI_AGAIN'], reason: 'host not found', check: 'the spelling of the host' },
  {
    codes: ['ETIMEDOUT'],
    message: /connection timeout|timeout expired|timeout exceeded when trying to connect/i, // pg
    reason: `timeout after ${CONNECT_SECONDS} s`,
    check: 'host, port and firewall',
  },
  { codes: ['EHOSTUNREACH', 'ENETUNREACH'], reason: 'host unreachable', check: 'the network and the host' },
  {
    codes: ['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST'],
    reason: 'the server closed the connection',
    check: 'that it is this kind of server, and read its log',
  },
  { codes: ['ENOENT'], reason: 'no such socket', check: 'the path of the socket' },
  {
    codes: [],
    message: /password must be a (?:non-empty )?string/i, // pg
    reason: 'the server asks for a password, and none was given',
    check: 'the connection string',
  },
  {
    codes: ['28P01', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'],
    reason: 'password authentication failed for user {user}',
    check: 'user and password',
  },
  {
    codes: ['28000'],
    reason: 'access refused for user {user}',
    check: 'that the user exists and may connect from here, perhaps only with ?sslmode=require',
  },
  {
    codes: ['3D000', 'ER_BAD_DB_ERROR'],
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
    reason: 'user {user} may not read the catalog tables',
    check: 'the grants of the user',
  },
  {
    codes: ['53300', 'ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS'],
    reason: 'too many connections',
    check: 'the connection limit of the server, and try again',
  },
  {
    codes: ['57P03'],
    reason: 'the server is starting up or shutting down',
    check: 'its state, and try again',
  },
  {
    codes: ['57014', 'ER_QUERY_TIMEOUT', 'ER_STATEMENT_TIMEOUT', 'PROTOCOL_SEQUENCE_TIMEOUT'],
    message: /query read timeout/i, // pg
    reason: `timeout of a query after ${QUERY_SECONDS} s`,
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
]

/** The target of a read: a server, or a client given by the caller, whose address is unknown. */
export type Target = Address | Pick<Address, 'engine'>

/**
 * The error for a server that does not answer or refuses. It carries no cause: drivers hang the connection, and with it
 * the password, on their errors.
 */
export function connectionFailed(error: unknown, target: Target): StagecraftError {
  const address = 'host' in target ? target : undefined
  const { check, reason: pattern } = findReason(error, address)
  const reason = pattern
    .replace('{user}', () => address?.user ?? 'of the client')
    .replace('{database}', () => address?.database ?? 'of the client')
  const where = address ? `at ${address.host}:${address.port}` : 'through the given client'
  const suggestion = `check ${check}`
  return new StagecraftError(
    'CONNECTION_FAILED',
    `cannot read ${target.engine} ${where}: ${reason}; ${suggestion}`,
    {
      details: { ...(address && { host: address.host, port: address.port }), reason, suggestion },
    },
  )
}

function findReason(error: unknown, address: Address | undefined): Pick<Reason, 'reason' | 'check'> {
  const code = codeOf(error)
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''
  const known = REASONS.find(({ codes }) => codes.includes(code))
  if (known) return known
  const unnamed = REASONS.find(({ message: pattern }) => pattern?.test(message))
  if (unnamed) return unnamed
  const reason = message === '' || address?.holdsSecret(message) ? 'the driver gave no reason' : message
  return { reason, check: 'the connection string and the log of the server' }
}

function codeOf(error: unknown): string {
  const code: unknown =
    typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
