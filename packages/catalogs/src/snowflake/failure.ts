import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'
import { connectionFailed, refused } from '../network/connection-failed.ts'

/** An error that Snowflake returned, with the code of the SQL API and the driver: `000606`. */
export class SnowflakeRefusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = 'SnowflakeRefusal'
    this.code = code.padStart(6, '0')
  }
}

interface Known {
  readonly codes: readonly string[]
  readonly reason: string
  readonly check: string
}

/** Codes in error messages of Snowflake; others are reported with Snowflake's message. */
const REASONS: readonly Known[] = [
  {
    codes: ['390144', '394304'],
    reason: 'the key pair of user {user} was rejected',
    check: 'the account, the user, and the fingerprint of its key (desc user: RSA_PUBLIC_KEY_FP)',
  },
  {
    codes: ['390303', '390318', '390195', '390146'],
    reason: 'the token is invalid or expired',
    check: 'the option token, and the role that the token is for',
  },
  { codes: ['390100'], reason: 'password authentication failed for user {user}', check: 'user and password' },
  {
    codes: ['390422', '390420'],
    reason: 'a network policy does not allow this machine',
    check: 'the network policy of the user and the account; a programmatic access token needs one',
  },
  {
    codes: ['390189', '390186'],
    reason: 'the role is not granted to user {user}',
    check: 'the option role',
  },
  {
    codes: ['000606', '391920'],
    reason: 'no warehouse is active',
    check: 'the option warehouse, and that the role may use it',
  },
  {
    codes: ['002003', '002043'],
    reason: 'the database or an object in it does not exist, or the role may not use it',
    check: 'the database of the address, and the grants of the role (USAGE)',
  },
  {
    codes: ['000630', '000604'],
    reason: 'the statement took too long, or was cancelled',
    check: 'the size of the warehouse, or read one schema at a time',
  },
]

/** Creates the error for a failed request to Snowflake. */
export function snowflakeFailed(error: unknown, address: Address): unknown {
  if (error instanceof StagecraftError) return error
  if (!(error instanceof SnowflakeRefusal)) return connectionFailed(error, address)
  const { code } = error
  const known = REASONS.find(({ codes }) => codes.includes(code))
  if (!known) return connectionFailed(new Error(error.message), address)
  const reason = known.reason.replace('{user}', () => address.user ?? 'of the token')
  return refused({ reason, check: known.check }, address, { code })
}

/** Returns true if information_schema refuses because the result is too large. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof SnowflakeRefusal && /returned too much data/i.test(error.message)
}

/** Returns true if a statement needs a running warehouse, and none is active. */
export function lacksWarehouse(error: unknown): boolean {
  return (
    error instanceof SnowflakeRefusal &&
    (['000606', '391920'].includes(error.code) || /no active warehouse/i.test(error.message))
  )
}
