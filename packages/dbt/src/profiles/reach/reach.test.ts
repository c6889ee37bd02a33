import { expect, test } from 'vitest'
import { catalogAddress } from '../catalog-address.ts'

type Value = string | number | boolean | Readonly<Record<string, string>>

const reach = ({ type, ...fields }: { readonly type: string; readonly [name: string]: Value }) =>
  catalogAddress(
    { name: 'shop', target: 'dev', type, fields: { type, ...fields } },
    { projectFolder: '/project' },
  )

const REDSHIFT = {
  type: 'redshift',
  host: 'c.eu.redshift.amazonaws.com',
  user: 'me',
  password: 'p@ss',
  dbname: 'raw',
}
const BIGQUERY = { type: 'bigquery', project: 'raw', dataset: 'dbt_me' }
const SQLSERVER = { type: 'sqlserver', server: 'db', port: 1433, database: 'raw', schema: 'dbt_me' }
const GOOGLE = 'bigquery://bigquery.googleapis.com/raw'

test.each([
  [REDSHIFT, 'redshift://me:p%40ss@c.eu.redshift.amazonaws.com/raw'],
  [
    { ...REDSHIFT, method: 'database', port: 5439, sslmode: 'prefer', role: 'loader' },
    'redshift://me:p%40ss@c.eu.redshift.amazonaws.com:5439/raw?role=loader',
  ],
  [
    { ...REDSHIFT, sslmode: 'disable' },
    'redshift://me:p%40ss@c.eu.redshift.amazonaws.com/raw?sslmode=disable',
  ],
  [
    {
      ...REDSHIFT,
      method: 'iam',
      cluster_id: 'c',
      region: 'eu-west-1',
      iam_profile: 'team',
      autocreate: true,
    },
    'redshift://me@c.eu.redshift.amazonaws.com/raw?method=iam&cluster_id=c&region=eu-west-1&profile=team&autocreate=true',
  ],
  [
    {
      ...REDSHIFT,
      method: 'iam_role',
      is_serverless: true,
      serverless_work_group: 'wg',
      access_key_id: 'AKIA1',
      secret_access_key: 's/',
      iam_profile: 'team',
    },
    'redshift://me@c.eu.redshift.amazonaws.com/raw?method=iam_role&is_serverless=true&serverless_work_group=wg&access_key_id=AKIA1&secret_access_key=s%2F',
  ],
  [{ ...BIGQUERY, method: 'oauth', location: 'EU' }, `${GOOGLE}?location=EU`],
  [
    { ...BIGQUERY, method: 'oauth', impersonate_service_account: 'a@b', execution_project: 'bill' },
    `${GOOGLE}?execution_project=bill&impersonate_service_account=a%40b`,
  ],
  [{ ...BIGQUERY, method: 'oauth-secrets', token: 't' }, `${GOOGLE}?token=t`],
  [
    {
      ...BIGQUERY,
      method: 'oauth-secrets',
      refresh_token: 'r',
      client_id: 'i',
      client_secret: 's',
      token_uri: 'https://oauth2.googleapis.com/token',
    },
    `${GOOGLE}?refresh_token=r&client_id=i&client_secret=s`,
  ],
  [
    { ...BIGQUERY, method: 'service-account', keyfile: 'key.json' },
    `${GOOGLE}?keyfile=%2Fproject%2Fkey.json`,
  ],
  [
    { ...BIGQUERY, method: 'service-account-json', keyfile_json: { a: '1' } },
    `${GOOGLE}?keyfile_json=eyJhIjoiMSJ9`,
  ],
  [
    { ...BIGQUERY, method: 'oauth', api_endpoint: 'http://127.0.0.1:9050', maximum_bytes_billed: 5 },
    'bigquery://127.0.0.1:9050/raw?maximum_bytes_billed=5',
  ],
  [{ ...SQLSERVER, user: 'me', password: 'p' }, 'sqlserver://me:p@db:1433/raw'],
  [
    { ...SQLSERVER, server: 'db\\INST', UID: 'me', PWD: 'p', encrypt: false, trust_cert: true },
    'sqlserver://me:p@db/raw?instance=INST&encrypt=false&trust_cert=true',
  ],
  [
    { ...SQLSERVER, authentication: 'ServicePrincipal', tenant_id: 't', client_id: 'i', client_secret: 's' },
    'sqlserver://i:s@db:1433/raw?authentication=azure-active-directory-service-principal-secret&tenant_id=t',
  ],
  [
    { ...SQLSERVER, auth: 'ServicePrincipal', tenant_id: 't', app_id: 'i', app_secret: 's' },
    'sqlserver://i:s@db:1433/raw?authentication=azure-active-directory-service-principal-secret&tenant_id=t',
  ],
  [
    { ...SQLSERVER, type: 'fabric', tenant_id: 't', client_id: 'i', client_secret: 's' },
    'sqlserver://i:s@db:1433/raw?authentication=azure-active-directory-service-principal-secret&tenant_id=t',
  ],
  [{ ...SQLSERVER, type: 'synapse', user: 'me', password: 'p' }, 'sqlserver://me:p@db:1433/raw'],
  [
    { ...SQLSERVER, type: 'fabric', authentication: 'CLI' },
    'sqlserver://db:1433/raw?authentication=azure-active-directory-default',
  ],
  [
    { ...SQLSERVER, authentication: 'ActiveDirectoryAccessToken', access_token: 'x' },
    'sqlserver://db:1433/raw?authentication=azure-active-directory-access-token&token=x',
  ],
])('%j is reached', (fields, address) => {
  expect(reach(fields)).toEqual({ addresses: [address] })
})

test.each([
  [{ ...REDSHIFT, method: 'browser_identity_center' }, 'aws redshift-serverless get-credentials'],
  [{ ...REDSHIFT, method: 'oauth_token_identity_center' }, 'use "method: iam" in a separate target'],
  [{ ...REDSHIFT, method: 'magic' }, 'is not one of database, iam'],
  [{ ...BIGQUERY, method: 'external-oauth-wif' }, 'gcloud auth print-access-token'],
  [
    { ...BIGQUERY, method: 'oauth-secrets', refresh_token: 'r', token_uri: 'https://evil.example/token' },
    'token_uri',
  ],
  [{ ...SQLSERVER, windows_login: true }, 'login of Windows'],
  [{ ...SQLSERVER, authentication: 'ActiveDirectoryInteractive' }, 'opens a browser'],
])('%j is not reached, and the reason names a way around', (fields, reason) => {
  const reached = reach(fields)
  expect(reached).toEqual({ reason: expect.stringContaining(reason) as string })
  expect(JSON.stringify(reached)).not.toContain('p@ss')
})
