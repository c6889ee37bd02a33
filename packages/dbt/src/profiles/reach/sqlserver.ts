import { buildAddress } from '../build-address.ts'
import type { CatalogAddress } from './reach.ts'
import { fieldOf, type Profile } from '../read-profile.ts'

const PRINCIPAL = 'azure-active-directory-service-principal-secret'

/** Login methods, with their names in tedious: https://docs.getdbt.com/docs/core/connect-data-platform/mssql-setup */
const AUTHENTICATIONS: Readonly<Record<string, string | undefined>> = {
  sql: 'default',
  activedirectorypassword: 'azure-active-directory-password',
  serviceprincipal: PRINCIPAL,
  activedirectoryserviceprincipal: PRINCIPAL,
  activedirectoryaccesstoken: 'azure-active-directory-access-token',
  cli: 'azure-active-directory-default',
  auto: 'azure-active-directory-default',
  environment: 'azure-active-directory-default',
  msi: 'azure-active-directory-msi-vm',
  activedirectorymsi: 'azure-active-directory-msi-vm',
}

const NOT_HAD: Readonly<Record<string, string>> = {
  activedirectoryinteractive: 'opens a browser',
  activedirectoryintegrated: 'needs a Windows driver',
  synapsespark: 'works only in a Spark pool of Synapse',
}

/**
 * Returns the address of a profile of dbt-sqlserver, dbt-fabric or dbt-synapse. Names and defaults of fields:
 * https://github.com/microsoft/dbt-fabric/blob/main/dbt/adapters/fabric/fabric_credentials.py
 */
export function reachSqlserver(profile: Profile): CatalogAddress {
  const byDefault = profile.type === 'fabric' ? 'ActiveDirectoryServicePrincipal' : 'sql'
  const authentication = fieldOf(profile, 'authentication', 'auth') ?? byDefault
  const isWindows = [fieldOf(profile, 'windows_login'), fieldOf(profile, 'trusted_connection')].some(
    (value) => value?.toLowerCase() === 'true' || value?.toLowerCase() === 'yes',
  )
  const way = AUTHENTICATIONS[authentication.toLowerCase()]
  if (isWindows || way === undefined) {
    const login = isWindows ? 'of Windows' : `"${authentication}"`
    const obstacle = isWindows
      ? 'needs a Windows driver'
      : (NOT_HAD[authentication.toLowerCase()] ?? 'is not supported')
    return {
      reason: `its login ${login} ${obstacle}; create a SQL Server login or a service principal, and pass --catalog sqlserver://<user>:<password>@<host>:1433/<database>`,
    }
  }
  const isPrincipal = way === PRINCIPAL
  const [host = 'localhost', instance] = (fieldOf(profile, 'host', 'server') ?? 'localhost').split('\\')
  return {
    addresses: [
      buildAddress({
        scheme: 'sqlserver',
        user: isPrincipal
          ? fieldOf(profile, 'client_id', 'app_id')
          : fieldOf(profile, 'user', 'username', 'UID'),
        password: isPrincipal
          ? fieldOf(profile, 'client_secret', 'app_secret')
          : fieldOf(profile, 'password', 'pass', 'PWD'),
        host,
        port: instance === undefined ? fieldOf(profile, 'port') : undefined,
        path: [fieldOf(profile, 'database')],
        options: {
          authentication: way === 'default' ? undefined : way,
          instance,
          tenant_id: fieldOf(profile, 'tenant_id'),
          client_id: isPrincipal ? undefined : fieldOf(profile, 'client_id', 'app_id'),
          token: fieldOf(profile, 'access_token'),
          encrypt: fieldOf(profile, 'encrypt')?.toLowerCase(),
          trust_cert: fieldOf(profile, 'trust_cert', 'TrustServerCertificate')?.toLowerCase(),
        },
      }),
    ],
  }
}
