import { buildAddress } from '../build-address.ts'
import { fieldOf, type Profile } from '../read-profile.ts'
import type { CatalogAddress } from './reach.ts'

const ROLE = [
  'assume_role_arn',
  'assume_role_session_name',
  'assume_role_external_id',
  'assume_role_duration_seconds',
]

/**
 * https://docs.getdbt.com/docs/core/connect-data-platform/athena-setup: tables are read in Glue, so that `endpoint_url`, the
 * work group and the staging folder do not matter. The schema, which dbt builds in, is not that of the raw tables.
 */
export function reachAthena(profile: Profile): CatalogAddress {
  const region = fieldOf(profile, 'region_name')
  if (region === undefined) return { reason: 'its region_name is missing' }
  const key = fieldOf(profile, 'aws_access_key_id')
  const secret = fieldOf(profile, 'aws_secret_access_key')
  if ((key === undefined) !== (secret === undefined))
    return { reason: 'one of its aws_access_key_id and aws_secret_access_key is missing' }
  return {
    addresses: [
      buildAddress({
        scheme: 'athena',
        user: key,
        password: secret,
        host: region,
        port: undefined,
        path: [fieldOf(profile, 'database', 'catalog') ?? 'awsdatacatalog'],
        options: {
          session_token: key === undefined ? undefined : fieldOf(profile, 'aws_session_token'),
          profile: fieldOf(profile, 'aws_profile_name'),
          ...Object.fromEntries(ROLE.map((name) => [name, fieldOf(profile, name)])),
        },
      }),
    ],
  }
}
