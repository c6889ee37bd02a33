import { StagecraftError } from '@stagecraft/spec'
import { type Address, parseAddress } from '../network/address.ts'
import { ATHENA } from '../network/servers.ts'

/** A region of AWS, what is read there, and how to sign. */
export interface AthenaPlace {
  readonly address: Address
  readonly region: string
  /** As Athena calls it: `awsdatacatalog`. */
  readonly dataCatalog: string
  /** The database of "everything", which dbt calls a schema; undefined for all of them. */
  readonly schema: string | undefined
  /** The keys in the address; undefined where they are to be found elsewhere. */
  readonly keys: (() => AwsKeys) | undefined
  /** The name in `~/.aws/config`. */
  readonly profile: string | undefined
}

export interface AwsKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

/** https://docs.aws.amazon.com/general/latest/gr/rande.html: it becomes a part of a host, and so has to look like one. */
const REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/

/**
 * Takes an address apart: `athena://eu-west-1/awsdatacatalog/raw?profile=analytics`.
 *
 * @throws {StagecraftError} INVALID_REQUEST naming what is wrong; it repeats no secret.
 */
export function readPlace(text: string): AthenaPlace {
  const address = parseAddress(text, ATHENA)
  const { host: region, user: accessKeyId } = address
  const [dataCatalog = 'awsdatacatalog', schema, ...rest] = address.path
  if (!REGION.test(region))
    throw fault('a region as the host: athena://eu-west-1/awsdatacatalog/raw', 'another text')
  if (rest.length > 0) throw fault('athena://region/awsdatacatalog/schema', `${address.path.length} names`)
  const secretAccessKey = address.password()
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw fault(
      'an access key with its secret (athena://KEY:SECRET@eu-west-1/…), or neither',
      'one of the two',
    )
  // it would otherwise stand in for keys where none may be borrowed
  if (accessKeyId === undefined && address.option('session_token') !== undefined)
    throw fault('an access key with its secret beside session_token', 'neither')
  const profile = address.option('profile')
  const keys =
    accessKeyId === undefined || secretAccessKey === undefined
      ? undefined
      : () => ({ accessKeyId, secretAccessKey, sessionToken: address.option('session_token') })
  return { address, region, dataCatalog, schema, keys, profile }
}

function fault(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}
