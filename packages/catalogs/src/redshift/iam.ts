import { StagecraftError } from '@stagecraft/spec'
import { askAws, type AwsOptions } from '../aws/ask-aws.ts'
import type { AskAws, AwsCall } from '../aws/aws-call.ts'
import { type AwsPlace, pairKeys, readRole, REGION } from '../aws/place.ts'
import { type Json, toText } from '../dbt/json.ts'
import type { Address } from '../network/address.ts'
import { refused } from '../network/connection-failed.ts'

/** The login for the database. */
export interface Login {
  readonly user: string | undefined
  /** Returns a password that is valid now. */
  readonly password: () => string | Promise<string>
}

/** The time until a new password is requested. Passwords from AWS are valid for 15 minutes. */
const PASSWORD_MS = 10 * 60_000

/**
 * Returns the login: user and password, or with `method=iam` or `iam_role` a temporary password from AWS.
 *
 * @throws {StagecraftError} CONNECTION_FAILED if AWS refuses; INVALID_REQUEST for invalid options or missing
 * credentials.
 */
export async function findLogin(address: Address, options: AwsOptions, signal?: AbortSignal): Promise<Login> {
  const method = address.option('method') ?? 'database'
  if (method === 'database') return { user: address.user, password: () => address.password() ?? '' } // without a password the driver would use PGPASSWORD
  if (method !== 'iam' && method !== 'iam_role')
    throw invalid('method', 'database, iam or iam_role', 'something else')
  const place = placeOf(address)
  const ask = askAws(place, options)
  const call = callOf(method, place)
  let current = { ...(await grant(ask, call, place, signal)), at: Date.now() }
  return {
    user: current.user,
    password: async () => {
      if (Date.now() - current.at > PASSWORD_MS)
        current = { ...(await grant(ask, call, place)), at: Date.now() }
      return current.password
    },
  }
}

const CLUSTER_HOST = /^([^.]+)\.[^.]+\.([^.]+)\.redshift\.amazonaws\.com(?:\.cn)?$/i
const WORKGROUP_HOST = /^([^.]+)\.\d+\.([^.]+)\.redshift-serverless\.amazonaws\.com(?:\.cn)?$/i

interface RedshiftPlace extends AwsPlace {
  readonly isServerless: boolean
  /** The identifier of the cluster, or the name of the workgroup. */
  readonly name: string
}

function placeOf(address: Address): RedshiftPlace {
  const { host, option } = address
  const workgroup = WORKGROUP_HOST.exec(host)
  const [, named, located] = workgroup ?? CLUSTER_HOST.exec(host) ?? []
  const isServerless = option('is_serverless') === 'true' || workgroup !== null
  const naming = isServerless ? 'serverless_work_group' : 'cluster_id'
  const name = option(naming) ?? named
  const region = option('region') ?? located ?? ''
  if (!REGION.test(region))
    throw invalid('region', 'a region such as eu-west-1', region ? 'something else' : 'none')
  if (name === undefined) throw invalid(naming, 'a name, because the host does not contain it', 'none')
  return {
    address,
    region,
    isServerless,
    name,
    keys: pairKeys(option('access_key_id'), option('secret_access_key'), option('session_token')),
    profile: option('profile'),
    role: readRole(address),
  }
}

/**
 * @see https://docs.aws.amazon.com/redshift/latest/APIReference/API_GetClusterCredentials.html
 * @see https://docs.aws.amazon.com/redshift/latest/APIReference/API_GetClusterCredentialsWithIAM.html
 * @see https://docs.aws.amazon.com/redshift-serverless/latest/APIReference/API_GetCredentials.html
 */
function callOf(method: 'iam' | 'iam_role', { address, isServerless, name }: RedshiftPlace): AwsCall {
  const [database] = address.path
  if (isServerless)
    return {
      service: 'redshift-serverless',
      target: 'RedshiftServerless.GetCredentials',
      input: { workgroupName: name, ...(database !== undefined && { dbName: database }) },
    }
  const cluster = { ClusterIdentifier: name, ...(database !== undefined && { DbName: database }) }
  if (method === 'iam_role')
    return { service: 'redshift', target: 'GetClusterCredentialsWithIAM', input: cluster }
  if (address.user === undefined) throw invalid('user', 'the database user for the IAM identity', 'none')
  const groups = address.option('db_groups')?.split(',') ?? []
  const input = {
    ...cluster,
    DbUser: address.user,
    AutoCreate: address.option('autocreate') === 'true',
    ...Object.fromEntries(groups.map((group, index) => [`DbGroups.DbGroup.${index + 1}`, group.trim()])),
  }
  return { service: 'redshift', target: 'GetClusterCredentials', input }
}

async function grant(
  ask: AskAws,
  call: AwsCall,
  { address }: RedshiftPlace,
  signal?: AbortSignal,
): Promise<{ readonly user: string; readonly password: string }> {
  const answer: Json = await ask(call, signal)
  const user = toText(answer['DbUser'] ?? answer['dbUser'])
  const password = toText(answer['DbPassword'] ?? answer['dbPassword'])
  if (user !== undefined && password !== undefined) return { user, password }
  throw refused(
    { reason: `${call.target} returned no password`, check: 'the cluster and the region' },
    address,
  )
}

function invalid(path: string, expected: string, received: string): StagecraftError {
  return StagecraftError.invalid({ path, expected, received })
}
