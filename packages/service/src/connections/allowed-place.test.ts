import { expect, onTestFinished, test, vi } from 'vitest'
import { allowedPlace } from './stored-connection.ts'

test.each([
  ['env:WAREHOUSE_URL', 'got "env:…"'],
  ['postgres://me:canary#@h/d', 'an address of PostgreSQL'],
  ['shop.duckdb', 'an absolute path'],
  ['dbt:target/', 'an absolute path'],
  ['postgres://h/d?sslrootcert=ca.pem', 'an absolute path'],
])('refuses %s', (text, message) => {
  expect(() => allowedPlace(text, { allowLocalFiles: true })).toThrow(message)
})

test.each([
  '/data/shop.duckdb',
  'sqlite:/data/shop.db',
  '/data/columns.yml',
  'ddl:/data',
  'dbt:/target',
  'postgres:///d?host=/run/db',
  'postgres://h/d?sslkey=/etc/shadow',
  'mysql://h/d?socketPath=/run/my.sock',
])('refuses %s where files are not to be read', (text) => {
  expect(() => allowedPlace(text, { allowLocalFiles: false })).toThrow('catalog: expected a server')
  expect(allowedPlace(text, { allowLocalFiles: true }).localPaths).toHaveLength(1)
})

test('refuses an address for which pg would look up a password of whoever runs the service', () => {
  expect(() => allowedPlace('postgres://me@h/d', { allowLocalFiles: false })).toThrow('without a password')
  expect(allowedPlace('postgres://me@h/d', { allowLocalFiles: true })).toMatchObject({ target: 'h:5432/d' })
  expect(allowedPlace('postgres://me:canary@h/d', { allowLocalFiles: false })).toMatchObject({
    target: 'h:5432/d',
  })
})

test.each([
  'sqlserver://h/d?authentication=azure-active-directory-default',
  'sqlserver://me:canary@h/d?authentication=azure-active-directory-msi-vm',
  'snowflake://me@acct/RAW?authenticator=oauth_authorization_code',
])('refuses %s, with which the service would sign in as its machine', (text) => {
  expect(() => allowedPlace(text, { allowLocalFiles: false })).toThrow('without a password')
})

test('refuses an address for which the password would be that of the service, whatever else it holds', () => {
  vi.stubEnv('TRINO_PASSWORD', 'canary')
  onTestFinished(() => void vi.unstubAllEnvs())
  const text = 'trino://me@h:8443/hive?http_headers=a:b'
  expect(() => allowedPlace(text, { allowLocalFiles: false })).toThrow('without a password')
})

test.each(['externalbrowser', 'Workload_Identity'])(
  'refuses an address with which the service would sign in as itself: %s',
  (authenticator) => {
    const text = `snowflake://me@acct/RAW?authenticator=${authenticator}`
    expect(() => allowedPlace(text, { allowLocalFiles: false })).toThrow('without a password')
    expect(allowedPlace(text, { allowLocalFiles: true })).toMatchObject({ kind: 'snowflake' })
  },
)

test('keeps secrets out of what is shown of Snowflake, and its key files from strangers', () => {
  const text = 'snowflake://me:canary@acct/RAW/SHOP?token=canary&private_key=canary'
  const place = allowedPlace(text, { allowLocalFiles: false })
  expect(place).toMatchObject({ kind: 'snowflake', target: 'acct:443/RAW/SHOP' })
  expect(JSON.stringify(place)).not.toContain('canary')
  expect(() =>
    allowedPlace('snowflake://me@acct/RAW?private_key_path=/etc/key.p8', { allowLocalFiles: false }),
  ).toThrow('catalog: expected a server')
})

test('takes a server where files are not to be read', () => {
  expect(allowedPlace('mysql://h/d', { allowLocalFiles: false })).toMatchObject({ kind: 'mysql' })
})
