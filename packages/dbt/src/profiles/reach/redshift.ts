import { asTexts } from '../../project/shapes.ts'
import { buildAddress } from '../build-address.ts'
import { fieldOf, type Profile } from '../read-profile.ts'
import type { CatalogAddress } from './reach.ts'

const METHODS = ['database', 'iam', 'iam_role']
const BROWSER = ['browser_identity_center', 'oauth_token_identity_center']

/** Returns the address of a Redshift profile: https://docs.getdbt.com/docs/core/connect-data-platform/redshift-setup */
export function reachRedshift(profile: Profile): CatalogAddress {
  const method = fieldOf(profile, 'method') ?? 'database'
  if (!METHODS.includes(method))
    return {
      reason: BROWSER.includes(method)
        ? `its method "${method}" signs in at the Identity Center, which is not supported; use "method: iam" in a separate target, or get a password with aws redshift get-cluster-credentials (or aws redshift-serverless get-credentials), and give --catalog redshift://<user>:<password>@<host>:5439/<database>`
        : `its method "${method}" is not one of ${[...METHODS, ...BROWSER].join(', ')}`,
    }
  const isDatabase = method === 'database'
  const mode = fieldOf(profile, 'sslmode')
  return {
    addresses: [
      buildAddress({
        scheme: 'redshift',
        user: fieldOf(profile, 'user'),
        password: isDatabase ? fieldOf(profile, 'password', 'pass') : undefined,
        host: fieldOf(profile, 'host') ?? 'localhost',
        port: fieldOf(profile, 'port'),
        path: [fieldOf(profile, 'dbname', 'database')],
        options: {
          // dbt encrypts in every other mode, too
          sslmode: mode === 'disable' ? 'disable' : undefined,
          role: fieldOf(profile, 'role'),
          ...(!isDatabase && { method, ...signingOptions(profile) }),
        },
      }),
    ],
  }
}

/** Keys in the profile win over a name in `~/.aws`, as in dbt. */
function signingOptions(profile: Profile): Readonly<Record<string, string | undefined>> {
  const hasKeys = fieldOf(profile, 'access_key_id') !== undefined
  return {
    cluster_id: fieldOf(profile, 'cluster_id'),
    region: fieldOf(profile, 'region'),
    is_serverless: fieldOf(profile, 'is_serverless')?.toLowerCase(),
    serverless_work_group: fieldOf(profile, 'serverless_work_group'),
    access_key_id: fieldOf(profile, 'access_key_id'),
    secret_access_key: fieldOf(profile, 'secret_access_key'),
    profile: hasKeys ? undefined : fieldOf(profile, 'iam_profile'),
    autocreate: fieldOf(profile, 'autocreate')?.toLowerCase(),
    db_groups: asTexts(profile.fields['db_groups'])?.join(','),
  }
}
