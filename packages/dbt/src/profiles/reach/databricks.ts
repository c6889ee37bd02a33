import { asRecord, asText } from '../../project/shapes.ts'
import { buildAddress } from '../build-address.ts'
import { fieldOf, type Profile } from '../read-profile.ts'
import type { CatalogAddress } from './reach.ts'

const INSTEAD = `set token: "{{ env_var('DATABRICKS_TOKEN') }}" in a separate target, and in that variable`

/**
 * https://docs.getdbt.com/docs/core/connect-data-platform/databricks-setup: a token wins over every other way to sign
 * in. The schema, which dbt builds in, is not that of the raw tables.
 */
export function reachDatabricks(profile: Profile): CatalogAddress {
  const host = fieldOf(profile, 'host')
  const path = fieldOf(profile, 'http_path')
  if (host === undefined || path === undefined) return { reason: 'its host or its http_path is missing' }
  if (/protocolv1/.test(path))
    return {
      reason:
        'its http_path belongs to a cluster, but catalogs are read through a SQL warehouse: name one in a separate target',
    }
  const credentials = credentialsOf(profile)
  if ('reason' in credentials) return credentials
  const { options, password } = credentials
  return {
    addresses: [
      buildAddress({
        scheme: 'databricks',
        user: password === undefined ? undefined : 'token',
        password,
        host: host.replace(/^https:\/\//i, '').replace(/\/+$/, ''),
        port: undefined,
        path: [catalogOf(profile)],
        options: { http_path: path, ...options },
      }),
    ],
  }
}

/** The catalog that dbt uses by default. */
function catalogOf(profile: Profile): string {
  const session = asText(asRecord(profile.fields['session_properties'])['databricks.catalog'])
  return fieldOf(profile, 'catalog', 'database') ?? session ?? 'hive_metastore'
}

type Credentials =
  | { readonly password?: string; readonly options?: Readonly<Record<string, string>> }
  | { readonly reason: string }

function credentialsOf(profile: Profile): Credentials {
  const password = fieldOf(profile, 'token')
  if (password !== undefined) return { password }
  const authType = fieldOf(profile, 'auth_type') ?? 'oauth'
  if (authType === 'env-oidc' || authType === 'file-oidc')
    return {
      reason: `its auth_type "${authType}" exchanges a token of another service, which is not supported; ${INSTEAD} the result of the exchange`,
    }
  if (fieldOf(profile, 'azure_client_id', 'azure_client_secret') !== undefined)
    return {
      reason: `it signs in through Microsoft Entra ID (azure_client_id), which is not supported; ${INSTEAD} the output of "az account get-access-token --resource 2ff814a6-3304-4ab8-85cb-cd0e6f879c1d"`,
    }
  const clientId = fieldOf(profile, 'client_id')
  const clientSecret = fieldOf(profile, 'client_secret')
  if (clientId !== undefined && clientSecret !== undefined)
    return { options: { client_id: clientId, client_secret: clientSecret } }
  return {
    reason: `its auth_type "${authType}" opens a browser, which is not supported; ${INSTEAD} the output of "databricks auth token"`,
  }
}
