import { buildAddress } from '../build-address.ts'
import type { CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

/** Ways to log in that need AWS, and what gives a password for an hour: https://docs.getdbt.com/docs/core/connect-data-platform/redshift-setup */
const OF_AWS = ['iam', 'iam_role', 'browser_identity_center', 'oauth_token_identity_center']

/** The Redshift of a profile, by user and password. */
export function reachRedshift(profile: Profile): CatalogAddress {
  const method = fieldOf(profile, 'method') ?? 'database'
  if (method !== 'database')
    return {
      reason: OF_AWS.includes(method)
        ? `its method "${method}" asks AWS for a password; ask for one yourself with aws redshift get-cluster-credentials (or aws redshift-serverless get-credentials), and give --catalog redshift://<user>:<password>@<host>:5439/<database>`
        : `its method "${method}" is none of database, ${OF_AWS.join(', ')}`,
    }
  const mode = fieldOf(profile, 'sslmode')
  return {
    addresses: [
      buildAddress({
        scheme: 'redshift',
        user: fieldOf(profile, 'user'),
        password: fieldOf(profile, 'password', 'pass'),
        host: fieldOf(profile, 'host') ?? 'localhost',
        port: fieldOf(profile, 'port'),
        path: [fieldOf(profile, 'dbname', 'database')],
        options: {
          // dbt encrypts in every other mode, too
          sslmode: mode === 'disable' ? 'disable' : undefined,
          role: fieldOf(profile, 'role'),
        },
      }),
    ],
  }
}
