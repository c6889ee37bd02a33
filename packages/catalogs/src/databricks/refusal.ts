import type { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { refused } from '../network/connection-failed.ts'
import type { HttpAnswer } from '../network/http-json.ts'

interface Refusal {
  readonly statuses: readonly number[]
  readonly reason: string
  readonly check: string
}

/**
 * The reasons for refusals; the message of the workspace follows them.
 * https://docs.databricks.com/api/workspace/statementexecution
 */
const REFUSALS: readonly Refusal[] = [
  {
    statuses: [401],
    reason: 'the workspace rejects the token',
    check: 'that it belongs to this workspace and has not expired',
  },
  {
    statuses: [403],
    reason: 'access refused',
    check:
      'CAN USE on the SQL warehouse, USE CATALOG and USE SCHEMA, and the IP access list of the workspace',
  },
  { statuses: [404], reason: 'not found', check: 'the host, and the SQL warehouse in http_path' },
  { statuses: [400], reason: 'the request was refused', check: 'the SQL warehouse in http_path' },
  {
    statuses: [429, 502, 503, 504],
    reason: 'the workspace is busy',
    check: 'its state, and try again',
  },
]

const OTHER: Refusal = { statuses: [], reason: 'an unexpected answer', check: 'the host of the workspace' }

export interface RefusalOptions {
  readonly address: Address
  /** True for the answer to a request for a token. @default false */
  readonly isSignIn?: boolean
}

/** Creates the error for an unsuccessful answer. */
export function refusalOf(
  { body, status }: HttpAnswer,
  { address, isSignIn = false }: RefusalOptions,
): StagecraftError {
  const { check, reason } = REFUSALS.find(({ statuses }) => statuses.includes(status)) ?? OTHER
  const { error, error_description: description, message } = (body ?? {}) as Record<string, unknown>
  const detail = shorten(message ?? description ?? error, address)
  return refused(
    {
      reason: `${isSignIn ? 'no token for the service principal' : reason} (HTTP ${status}${detail === undefined ? '' : `: ${detail}`})`,
      check: isSignIn
        ? 'client_id and client_secret; those of Microsoft Entra ID (azure_client_secret) are not supported'
        : check,
    },
    address,
  )
}

export function withoutId(address: Address): StagecraftError {
  return refused({ reason: 'the answer has no statement id', check: 'the host of the workspace' }, address)
}

export function notStarted(seconds: number, address: Address): StagecraftError {
  return refused(
    { reason: `the SQL warehouse has not started within ${seconds} s`, check: 'its state' },
    address,
  )
}

export function tooSlow(seconds: number, address: Address): StagecraftError {
  const check = 'the load of the SQL warehouse, or read one schema at a time'
  return refused({ reason: `a query timed out after ${seconds} s`, check }, address)
}

interface StatementError {
  readonly error_code?: string
  readonly message?: string
}

/** Creates the error for a statement that ended without a result. */
export function statementFailed(
  state: string,
  { error_code: code = state, message }: StatementError,
  address: Address,
): StagecraftError {
  const detail = shorten(message, address) ?? 'no reason given'
  const isTooLarge = /byte limit|maximum result size|EXTERNAL_LINKS/i.test(message ?? '')
  const isMissing = /NO_SUCH_CATALOG|SCHEMA_NOT_FOUND|information_schema.{0,40}(?:not exist|not found)/i.test(
    message ?? '',
  )
  const check = isTooLarge
    ? 'the number of tables: name them, or read one schema at a time'
    : isMissing
      ? 'the catalog in the address; tables outside Unity Catalog are in hive_metastore'
      : 'the query history of the SQL warehouse'
  return refused({ reason: `the statement ended as ${code}: ${detail}`, check }, address)
}

const LONGEST = 300

/** Returns the first line of a message of the workspace, if it contains no secret. */
function shorten(message: unknown, { holdsSecret }: Address): string | undefined {
  if (typeof message !== 'string' || holdsSecret(message)) return undefined
  const [line = ''] = message.replaceAll(/[^\P{Cc}\n]/gu, ' ').split('\n')
  return line === '' ? undefined : line.slice(0, LONGEST)
}
