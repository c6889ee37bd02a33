import { expect, test } from 'vitest'
import type { JinjaValue } from '../../jinja/jinja-value.ts'
import { catalogAddress } from '../catalog-address.ts'
import type { CatalogAddress } from './reach.ts'

const PROFILE = {
  type: 'databricks',
  host: 'adb-1.azuredatabricks.net',
  http_path: '/sql/1.0/warehouses/1a2b',
  catalog: 'main',
  schema: 'dbt_me',
}

function reach(fields: Readonly<Record<string, JinjaValue>>): CatalogAddress {
  const profile = { name: 'shop', target: 'dev', type: 'databricks', fields: { ...PROFILE, ...fields } }
  return catalogAddress(profile, { projectFolder: '/project' })
}

const PLACE = 'adb-1.azuredatabricks.net/main?http_path=%2Fsql%2F1.0%2Fwarehouses%2F1a2b'

test.each([
  [{ token: 'dapi/1' }, `databricks://token:dapi%2F1@${PLACE}`],
  [{ token: 'dapi1', auth_type: 'oauth', client_id: 'me' }, `databricks://token:dapi1@${PLACE}`],
  [
    { auth_type: 'oauth', client_id: 'me', client_secret: 'dose&1' },
    `databricks://${PLACE}&client_id=me&client_secret=dose%261`,
  ],
  [
    { token: 'd', host: 'https://adb-1.azuredatabricks.net/', catalog: '', database: 'a b' },
    `databricks://token:d@${PLACE.replace('/main', '/a%20b')}`,
  ],
  [
    { token: 'd', catalog: null, session_properties: { 'databricks.catalog': 'from_session' } },
    `databricks://token:d@${PLACE.replace('/main', '/from_session')}`,
  ],
  [{ token: 'd', catalog: null }, `databricks://token:d@${PLACE.replace('/main', '/hive_metastore')}`],
  [{ token: 'd', http_path: '/sql/1.0/warehouses/1a2b?o=77' }, `databricks://token:d@${PLACE}%3Fo%3D77`],
])('reaches %j', (fields, address) => {
  expect(reach(fields)).toEqual({ addresses: [address] })
})

test.each([
  [{ auth_type: 'oauth' }, 'its auth_type "oauth" opens a browser', 'databricks auth token'],
  [{ auth_type: 'oauth', client_id: 'me' }, 'opens a browser', 'databricks auth token'],
  [{ auth_type: 'env-oidc', client_id: 'me' }, 'its auth_type "env-oidc" exchanges', 'DATABRICKS_TOKEN'],
  [{ auth_type: 'file-oidc', client_id: 'me' }, 'its auth_type "file-oidc" exchanges', 'DATABRICKS_TOKEN'],
  [
    { auth_type: 'oauth', azure_client_id: 'me', azure_client_secret: 'canary' },
    'Microsoft Entra ID',
    'az account get-access-token',
  ],
  [{ token: 'canary', http_path: 'sql/protocolv1/o/1/0923-1' }, 'belongs to a cluster', 'SQL warehouse'],
  [{ token: 'canary', http_path: '' }, 'its host or its http_path is missing', ''],
])('tells how to do without %j', (fields, reason, remedy) => {
  const told = reach(fields)
  expect('reason' in told && told.reason).toContain(reason)
  expect('reason' in told && told.reason).toContain(remedy)
  expect(JSON.stringify(told)).not.toContain('canary')
})
