import { expect, test } from 'vitest'
import type { JinjaValue } from '../../jinja/jinja-value.ts'
import { catalogAddress } from '../catalog-address.ts'

type Fields = Readonly<Record<string, JinjaValue>>

/** Fields with which the profile of an adapter reaches its warehouse, but for the way to sign in. */
const PLACES: Readonly<Record<string, Fields>> = {
  redshift: { host: 'c.eu.redshift.amazonaws.com', port: 5439, dbname: 'raw', user: 'me' },
  snowflake: { account: 'org-acct', database: 'raw', user: 'me' },
  bigquery: { project: 'raw', dataset: 'dbt_me' },
  databricks: { host: 'adb-1.azuredatabricks.net', http_path: '/sql/1.0/warehouses/1', catalog: 'raw' },
  sqlserver: { server: 'db', database: 'raw', UID: 'me', PWD: 'canary' },
  fabric: { server: 'db', database: 'raw' },
  clickhouse: { host: 'db' },
  trino: { host: 'db', port: 8443, user: 'me', catalog: 'raw' },
  athena: { region_name: 'eu-west-1', database: 'awsdatacatalog' },
}

const USED = ''
const SECRETS = { client_id: 'i', client_secret: 'canary' }

/**
 * Every way to sign in, from the sources of the adapters, and what a refusal says. Sources, read in November 2026:
 * https://github.com/dbt-labs/dbt-adapters (dbt-bigquery, dbt-redshift, dbt-snowflake, dbt-athena),
 * https://github.com/databricks/dbt-databricks, https://github.com/microsoft/dbt-fabric,
 * https://github.com/dbt-msft/dbt-sqlserver, https://github.com/ClickHouse/dbt-clickhouse,
 * https://github.com/starburstdata/dbt-trino
 */
const MODES: readonly (readonly [adapter: string, fields: Fields, refusal: string])[] = [
  ['redshift', { password: 'canary' }, USED],
  ['redshift', { method: 'database', password: 'canary' }, USED],
  ['redshift', { method: 'iam', cluster_id: 'c', iam_profile: 'p' }, USED],
  ['redshift', { method: 'iam', cluster_id: 'c', access_key_id: 'A', secret_access_key: 'canary' }, USED],
  ['redshift', { method: 'iam_role', cluster_id: 'c' }, USED],
  ['redshift', { method: 'browser_identity_center' }, 'use "method: iam" in a separate target'],
  ['redshift', { method: 'oauth_token_identity_center' }, 'aws redshift get-cluster-credentials'],
  ['snowflake', { password: 'canary' }, USED],
  ['snowflake', { private_key: 'canary' }, USED],
  ['snowflake', { private_key_path: 'k.p8', private_key_passphrase: 'canary' }, USED],
  ['snowflake', { authenticator: 'username_password_mfa', password: 'canary' }, USED],
  ['snowflake', { authenticator: 'externalbrowser' }, USED],
  ['snowflake', { authenticator: 'https://acme.okta.com', password: 'canary' }, USED],
  ['snowflake', { authenticator: 'oauth', token: 'canary' }, USED],
  [
    'snowflake',
    { authenticator: 'oauth', token: 'canary', oauth_client_id: 'i', oauth_client_secret: 'canary' },
    USED,
  ],
  ['snowflake', { authenticator: 'jwt', token: 'canary' }, USED],
  ['snowflake', { authenticator: 'programmatic_access_token', token: 'canary' }, USED],
  [
    'snowflake',
    { authenticator: 'workload_identity', workload_identity_provider: 'OIDC', token: 'canary' },
    USED,
  ],
  [
    'snowflake',
    { authenticator: 'OAUTH_AUTHORIZATION_CODE', oauth_client_id: 'i', oauth_client_secret: 'canary' },
    USED,
  ],
  [
    'snowflake',
    { authenticator: 'OAUTH_AUTHORIZATION_CODE', oauth_authorization_url: 'https://login.example.com' },
    'use a key pair',
  ],
  [
    'snowflake',
    { authenticator: 'oauth_client_credentials', oauth_token_request_url: 'https://login.example.com' },
    'use a key pair',
  ],
  ['bigquery', { method: 'oauth' }, USED],
  ['bigquery', { method: 'oauth', impersonate_service_account: 'a@b' }, USED],
  ['bigquery', { method: 'oauth-secrets', token: 'canary' }, USED],
  ['bigquery', { method: 'oauth-secrets', refresh_token: 'canary', ...SECRETS }, USED],
  ['bigquery', { method: 'service-account', keyfile: 'key.json' }, USED],
  ['bigquery', { method: 'service-account-json', keyfile_json: { private_key: 'canary' } }, USED],
  ['bigquery', { method: 'service-account' }, 'its method "service-account" needs keyfile'],
  ['bigquery', { method: 'service-account-json' }, 'needs keyfile_json'],
  ['bigquery', { method: 'oauth-secrets' }, 'needs refresh_token'],
  ['bigquery', { method: 'oauth-secrets', refresh_token: 'canary', client_id: 'i' }, 'needs client_secret'],
  ['bigquery', { method: 'external-oauth-wif' }, 'gcloud auth print-access-token'],
  ['databricks', { token: 'canary' }, USED],
  ['databricks', { auth_type: 'oauth', ...SECRETS }, USED],
  ['databricks', { auth_type: 'oauth' }, 'databricks auth token'],
  [
    'databricks',
    { auth_type: 'oauth', azure_client_id: 'i', azure_client_secret: 'canary' },
    'az account get-access-token',
  ],
  ['databricks', { auth_type: 'env-oidc' }, 'DATABRICKS_TOKEN'],
  ['databricks', { auth_type: 'file-oidc' }, 'DATABRICKS_TOKEN'],
  ...['sql', 'ActiveDirectoryPassword', 'CLI', 'auto', 'environment', 'msi', 'ActiveDirectoryMsi'].map(
    (authentication) => ['sqlserver', { authentication }, USED] as const,
  ),
  ['sqlserver', { authentication: 'ServicePrincipal', ...SECRETS }, USED],
  ['sqlserver', { authentication: 'ActiveDirectoryAccessToken', access_token: 'canary' }, USED],
  [
    'sqlserver',
    { authentication: 'ActiveDirectoryInteractive' },
    'opens a browser; create a SQL Server login',
  ],
  [
    'sqlserver',
    { authentication: 'ActiveDirectoryIntegrated' },
    'needs a Windows driver; create a SQL Server login',
  ],
  ['sqlserver', { windows_login: true }, 'of Windows needs a Windows driver; create a SQL Server login'],
  [
    'sqlserver',
    { trusted_connection: 'yes' },
    'of Windows needs a Windows driver; create a SQL Server login',
  ],
  ['fabric', SECRETS, USED],
  ['fabric', { authentication: 'ActiveDirectoryServicePrincipal', ...SECRETS }, USED],
  [
    'fabric',
    { authentication: 'SynapseSpark' },
    'only in a Spark pool of Synapse; create a SQL Server login',
  ],
  ['fabric', { authentication: 'tomorrow' }, '"tomorrow" is not supported; create a SQL Server login'],
  ['clickhouse', { user: 'me', password: 'canary' }, USED],
  ['clickhouse', { user: 'me', client_cert: 'c.pem', client_cert_key: 'k.pem', secure: true }, USED],
  ['clickhouse', { driver: 'chdb' }, 'runs inside dbt'],
  ['trino', { method: 'none' }, USED],
  ['trino', { method: 'ldap', password: 'canary' }, USED],
  ['trino', { method: 'jwt', jwt_token: 'canary' }, USED],
  ['trino', { method: 'certificate', client_certificate: 'c.pem', client_private_key: 'k.pem' }, USED],
  ...['kerberos', 'gssapi', 'oauth', 'oauth_console'].map(
    (method) => ['trino', { method }, 'use a target with "method: jwt" and a token'] as const,
  ),
  ['trino', { method: 'ldap' }, 'its method "ldap" needs password'],
  ['trino', { method: 'jwt' }, 'its method "jwt" needs jwt_token'],
  ['trino', { method: 'certificate', client_certificate: 'c.pem' }, 'needs client_private_key'],
  ['athena', {}, USED],
  ['athena', { aws_profile_name: 'p' }, USED],
  ['athena', { aws_access_key_id: 'A', aws_secret_access_key: 'canary', aws_session_token: 'canary' }, USED],
  ['athena', { assume_role_arn: 'arn:aws:iam::1:role/r' }, USED],
  ['athena', { aws_access_key_id: 'A' }, 'one of its aws_access_key_id and aws_secret_access_key is missing'],
]

test.each(MODES)('signs in to %s with %j, or says what to do instead', (type, fields, refusal) => {
  const profile = { name: 'shop', target: 'dev', type, fields: { type, ...PLACES[type], ...fields } }
  const reached = catalogAddress(profile, { projectFolder: '/project' })
  if (refusal === USED) expect(reached).toHaveProperty('addresses')
  else expect(reached).toEqual({ reason: expect.stringContaining(refusal) as string })
  if ('reason' in reached) expect(reached.reason).not.toContain('canary')
})
