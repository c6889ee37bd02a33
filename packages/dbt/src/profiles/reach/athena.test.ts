import { expect, test } from 'vitest'
import type { JinjaValue } from '../../jinja/jinja-value.ts'
import { catalogAddress } from '../catalog-address.ts'
import type { CatalogAddress } from './reach.ts'

const PROFILE = {
  type: 'athena',
  region_name: 'eu-west-1',
  s3_staging_dir: 's3://results/',
  schema: 'dbt_me',
}

function reach(fields: Readonly<Record<string, JinjaValue>>): CatalogAddress {
  const profile = { name: 'shop', target: 'dev', type: 'athena', fields: { ...PROFILE, ...fields } }
  return catalogAddress(profile, { projectFolder: '/project' })
}

test.each([
  [{ database: 'awsdatacatalog' }, 'athena://eu-west-1/awsdatacatalog'],
  [{}, 'athena://eu-west-1/awsdatacatalog'],
  [{ catalog: 'partner' }, 'athena://eu-west-1/partner'],
  [{ aws_profile_name: 'my team' }, 'athena://eu-west-1/awsdatacatalog?profile=my+team'],
  [
    { aws_access_key_id: 'AKIA1', aws_secret_access_key: 'a/b+c', aws_session_token: 'd=' },
    'athena://AKIA1:a%2Fb%2Bc@eu-west-1/awsdatacatalog?session_token=d%3D',
  ],
  [
    { work_group: 'primary', endpoint_url: 'https://athena.example', spark_work_group: 'spark' },
    'athena://eu-west-1/awsdatacatalog',
  ],
  [
    {
      aws_profile_name: 'team',
      assume_role_arn: 'arn:aws:iam::123456789012:role/x',
      assume_role_session_name: 'me',
      assume_role_external_id: 'e1',
      assume_role_duration_seconds: 900,
    },
    'athena://eu-west-1/awsdatacatalog?profile=team&assume_role_arn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fx&assume_role_session_name=me&assume_role_external_id=e1&assume_role_duration_seconds=900',
  ],
  [{ database: '123456789012:s3tablescatalog/b' }, 'athena://eu-west-1/123456789012%3As3tablescatalog%2Fb'],
])('reaches %j', (fields, address) => {
  expect(reach(fields)).toEqual({ addresses: [address] })
})

test.each([
  [{ aws_access_key_id: 'AKIA1' }, 'one of its aws_access_key_id and aws_secret_access_key is missing'],
  [{ region_name: '' }, 'its region_name is missing'],
])('tells how to do without %j', (fields, reason) => {
  const told = reach(fields)
  expect('reason' in told && told.reason).toContain(reason)
})
