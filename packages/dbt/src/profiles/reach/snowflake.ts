import { buildAddress } from '../build-address.ts'
import type { AddressOptions, CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

/** Options of the address with the names of profile fields. */
const OPTIONS = [
  'warehouse',
  'role',
  'authenticator',
  'token',
  'private_key',
  'private_key_path',
  'private_key_passphrase',
  'oauth_client_id',
  'oauth_client_secret',
  'workload_identity_provider',
  'workload_identity_entra_resource',
  'query_tag',
  'protocol',
]

/** Addresses of a server for OAuth other than Snowflake, which would get the client's secret. */
const SIGN_IN_URLS = ['oauth_token_request_url', 'oauth_authorization_url']

/** https://docs.getdbt.com/docs/core/connect-data-platform/snowflake-setup */
export function reachSnowflake(profile: Profile, { projectFolder }: AddressOptions): CatalogAddress {
  const account = fieldOf(profile, 'account')
  const database = fieldOf(profile, 'database', 'dbname')
  if (account === undefined) return { reason: 'its profile names no Snowflake account' }
  if (database === undefined) return { reason: 'its profile names no Snowflake database' }
  const url = SIGN_IN_URLS.find((name) => fieldOf(profile, name) !== undefined)
  if (url !== undefined && /^oauth_/i.test(fieldOf(profile, 'authenticator') ?? ''))
    return {
      reason: `its ${url} names another server for signing in, which is not supported; use a key pair (private_key_path), "authenticator: programmatic_access_token" or "authenticator: oauth" with a token in a separate target`,
    }
  const host = fieldOf(profile, 'host')
  const options = Object.fromEntries(OPTIONS.map((name) => [name, fieldOf(profile, name)]))
  const path = options['private_key_path']
  return {
    addresses: [
      buildAddress({
        scheme: 'snowflake',
        user: fieldOf(profile, 'user', 'username'),
        password: fieldOf(profile, 'password', 'pass'),
        host: host ?? account,
        port: fieldOf(profile, 'port'),
        path: [database], // its schema is the target of dbt, not the schema of raw tables
        options: {
          ...options,
          private_key_path: path === undefined ? undefined : inFolder(path, projectFolder),
          account: host === undefined ? undefined : account,
        },
      }),
    ],
  }
}

function inFolder(path: string, folder: string): string {
  return /^(?:[/\\~]|[a-z]:[/\\])/i.test(path) ? path : `${folder}/${path}`
}
