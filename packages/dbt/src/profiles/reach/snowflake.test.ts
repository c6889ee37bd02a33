import { expect, test } from 'vitest'
import type { JinjaValue } from '../../jinja/jinja-value.ts'
import { catalogAddress } from '../catalog-address.ts'

const reach = (fields: Readonly<Record<string, JinjaValue>>) =>
  catalogAddress({ name: 'shop', target: 'dev', type: 'snowflake', fields }, { projectFolder: '/p' })

const account = { account: 'org-acct', user: 'me', database: 'RAW', schema: 'dbt_me' }

test.each<[string, Readonly<Record<string, JinjaValue>>, string]>([
  [
    'a password',
    { password: 'p@ss', warehouse: 'WH', role: 'R', threads: 4 },
    'snowflake://me:p%40ss@org-acct/RAW?warehouse=WH&role=R',
  ],
  [
    'a key',
    { private_key: 'MII+/', private_key_passphrase: 'x' },
    'snowflake://me@org-acct/RAW?private_key=MII%2B%2F&private_key_passphrase=x',
  ],
  [
    'a key in a file of the project',
    { private_key_path: 'rsa.p8' },
    'snowflake://me@org-acct/RAW?private_key_path=%2Fp%2Frsa.p8',
  ],
  [
    'a browser',
    { authenticator: 'externalbrowser' },
    'snowflake://me@org-acct/RAW?authenticator=externalbrowser',
  ],
  [
    'OAuth',
    { authenticator: 'oauth', token: 't', oauth_client_id: 'i', oauth_client_secret: 's' },
    'snowflake://me@org-acct/RAW?authenticator=oauth&token=t&oauth_client_id=i&oauth_client_secret=s',
  ],
  [
    'a host of its own',
    { host: 'sf.example.com', port: 8443 },
    'snowflake://me@sf.example.com:8443/RAW?account=org-acct',
  ],
])('reaches Snowflake by %s', (_, fields, address) => {
  expect(reach({ ...account, ...fields })).toEqual({ addresses: [address] })
})

test('says what a profile lacks', () => {
  expect(reach({ database: 'RAW' })).toEqual({ reason: 'its profile names no Snowflake account' })
  expect(reach({ account: 'a' })).toEqual({ reason: 'its profile names no Snowflake database' })
})
