import { StagecraftError } from '@stagecraft/spec'
import { type AwsPlace, pairKeys, readRole, REGION } from '../aws/place.ts'
import { parseAddress } from '../network/address.ts'
import { ATHENA } from '../network/servers.ts'

/** A region of AWS with its credentials, and the databases to read there. */
export interface AthenaPlace extends AwsPlace {
  /** The data catalog of Athena: `awsdatacatalog`. */
  readonly dataCatalog: string
  /** The database to list, which dbt calls a schema; undefined for all. */
  readonly schema: string | undefined
}

/**
 * Parses an address: `athena://eu-west-1/awsdatacatalog/raw?profile=analytics`.
 *
 * @throws {StagecraftError} INVALID_REQUEST with the fault, without secrets.
 */
export function readPlace(text: string): AthenaPlace {
  const address = parseAddress(text, ATHENA)
  const { host: region, user: accessKeyId } = address
  const [dataCatalog = 'awsdatacatalog', schema, ...rest] = address.path
  if (!REGION.test(region))
    throw fault('a region as the host: athena://eu-west-1/awsdatacatalog/raw', 'something else')
  if (rest.length > 0) throw fault('athena://region/awsdatacatalog/schema', `${address.path.length} names`)
  return {
    address,
    region,
    dataCatalog,
    schema,
    keys: pairKeys(accessKeyId, address.password(), address.option('session_token')),
    profile: address.option('profile'),
    role: readRole(address),
  }
}

function fault(expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path: 'catalog', expected, received })
}
