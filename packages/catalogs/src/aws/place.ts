import { StagecraftError } from '@stagecraft/spec'
import type { Address } from '../network/address.ts'

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** A region of AWS, and the credentials for it. */
export interface AwsPlace {
  /** For messages. */
  readonly address: Address
  readonly region: string
  /** The keys in the address; undefined if they come from elsewhere. */
  readonly keys: (() => AwsKeys) | undefined
  /** The name in `~/.aws/config`. */
  readonly profile: string | undefined
  /** The role to assume with the keys. Default: none. */
  readonly role?: AwsRole | undefined
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export interface AwsRole {
  readonly arn: string
  readonly sessionName: string
  readonly externalId: string | undefined
  readonly seconds: string | undefined
}

/**
 * https://docs.aws.amazon.com/general/latest/gr/rande.html: the region becomes part of a host name, so its
 * form is checked.
 */
export const REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/

const ROLE = /^arn:aws[\w-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/

/**
 * Reads the role of an address, under the names of dbt-athena.
 *
 * @throws {StagecraftError} INVALID_REQUEST for text that is not the ARN of a role.
 */
export function readRole({ option }: Address): AwsRole | undefined {
  const arn = option('assume_role_arn')
  if (arn === undefined) return undefined
  if (!ROLE.test(arn))
    throw StagecraftError.invalid({
      path: 'assume_role_arn',
      expected: 'the ARN of a role: arn:aws:iam::123456789012:role/reader',
      received: 'something else',
    })
  return {
    arn,
    sessionName: option('assume_role_session_name') ?? 'stagecraft',
    externalId: option('assume_role_external_id'),
    seconds: option('assume_role_duration_seconds'),
  }
}

/**
 * Pairs an access key with its secret; undefined if an address has neither.
 *
 * @throws {StagecraftError} INVALID_REQUEST for an incomplete pair: the rest is not taken from elsewhere.
 */
export function pairKeys(
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
  sessionToken: string | undefined,
): (() => AwsKeys) | undefined {
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return () => ({ accessKeyId, secretAccessKey, sessionToken })
  if (accessKeyId === undefined && secretAccessKey === undefined && sessionToken === undefined)
    return undefined
  throw StagecraftError.invalid({
    path: 'catalog',
    expected: 'an access key with its secret, optionally with a session token, or nothing',
    received: 'only some of them',
  })
}
