import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../project/settings.ts'
import { catalogAddress } from './catalog-address.ts'
import { findProfile } from './find-profile.ts'
import { readProfile } from './read-profile.ts'

const PROFILES = `config: { send_anonymous_usage_stats: false }
shop:
  target: "{{ env_var('SHOP_TARGET', 'dev') }}"
  outputs:
    dev:
      type: postgres
      host: "{{ env_var('HOST') }}"
      port: "{{ env_var('PORT', '5433') | as_number }}"
      user: me
      pass: "{{ env_var('DBT_ENV_SECRET_PASSWORD') }}"
      dbname: raw data
      schema: dbt_{{ env_var('NAME', 'me') }}
      sslmode: disable
    prod:
      type: snowflake
      password: "{{ env_var('NOT_SET') }}"
      token: "{{ s3cret"
`

const ENVIRONMENT = { HOST: 'db.example.com', DBT_ENV_SECRET_PASSWORD: 'p@ss/w:rd' }

const choose = (target?: string, text = PROFILES) =>
  readProfile(text, {
    path: 'profiles.yml',
    profile: 'shop',
    target,
    context: { environment: ENVIRONMENT, vars: {} },
  })

test('renders the chosen output and no other', () => {
  expect(choose()).toMatchObject({
    name: 'shop',
    target: 'dev',
    type: 'postgres',
    fields: { port: 5433, schema: 'dbt_me' },
  })
  expect(catalogAddress(choose(), { projectFolder: '/p' })).toEqual({
    addresses: ['postgres://me:p%40ss%2Fw%3Ard@db.example.com:5433/raw%20data'],
  })
})

test('names what is missing, and never a value', () => {
  expect(() => choose('prod')).toThrow(
    /^profiles\.yml: shop\.outputs\.prod\.password: expected the environment variable NOT_SET, got nothing$/,
  )
  const broken = PROFILES.replace(`password: "{{ env_var('NOT_SET') }}"`, 'user: x')
  expect(() => choose('prod', broken)).toThrow(/shop\.outputs\.prod\.token: expected no Jinja but env_var/)
  expect(() => choose('prod', broken)).not.toThrow(/s3cret/)
  expect(() => choose('test')).toThrow('profiles.yml: expected a target of shop: dev, prod, got "test"')
  expect(() => choose(undefined, 'shop:\n  password: [s3cret\n')).toThrow(
    /^profiles\.yml:\d+: expected valid YAML, got [a-z ]+$/,
  )
  expect(() => choose(undefined, 'other: {}')).toThrow('expected a profile: other, got "shop"')
})

const output = (fields: {
  readonly type: string
  readonly [key: string]: string | number | Record<string, string>
}) =>
  catalogAddress({ name: 'shop', target: 'dev', type: fields.type, fields }, { projectFolder: '/project' })

test.each([
  ['54x2', 'something else'],
  ['-1', 'something else'],
  [0, '0'],
  [65_536, '65536'],
])('a port that is none is refused with its key, but no text: %s', (port, received) => {
  expect(() => output({ type: 'postgres', host: 'h', port, dbname: 'raw' })).toThrow(
    `profiles.yml: shop.outputs.dev.port: expected a port from 1 to 65535, got ${received}`,
  )
  expect(() => output({ type: 'snowflake', account: 'a', port })).toThrow('a port from 1 to 65535')
})

test.each([
  [
    { type: 'postgres', host: '/var/run/pg', user: 'me', dbname: 'raw', sslmode: 'disable' },
    ['postgres://me@/raw?host=%2Fvar%2Frun%2Fpg'],
  ],
  [
    {
      type: 'postgres',
      host: '::1',
      user: 'me',
      database: 'raw',
      sslmode: 'verify-ca',
      role: 'loader',
      sslrootcert: '/ca.pem',
    },
    [
      'postgres://me@[::1]/raw?sslmode=verify-ca&uselibpqcompat=true&sslrootcert=%2Fca.pem&options=-c+role%3Dloader',
    ],
  ],
  [
    { type: 'postgres', host: 'db', user: 'me', dbname: 'raw' },
    ['postgres://me@db/raw?sslmode=require&uselibpqcompat=true', 'postgres://me@db/raw'],
  ],
  [
    { type: 'mysql', server: 'db', port: 3307, username: 'me', password: 'p', schema: 'raw' },
    ['mysql://me:p@db:3307/raw'],
  ],
  [
    { type: 'clickhouse', schema: 'dbt_me', host: 'ch.example.com', user: 'me', password: 'p@s' },
    ['clickhouse://me:p%40s@ch.example.com:8123/?secure=false'],
  ],
  [
    {
      type: 'clickhouse',
      driver: 'native',
      port: 9440,
      secure: 'True',
      verify: 'False',
      client_cert: '/me.pem',
    },
    ['clickhouse://default@localhost:8443/?secure=true&verify=false&sslcert=%2Fme.pem&sslkey=%2Fme.pem'],
  ],
  [{ type: 'clickhouse', port: 9000 }, ['clickhouse://default@localhost:8123/?secure=false']],
  [{ type: 'clickhouse', port: 18123 }, ['clickhouse://default@localhost:18123/?secure=false']],
  [
    { type: 'trino', host: 't', port: 8080, user: 'me', database: 'hive', schema: 'dbt_me' },
    ['trino://me@t:8080/hive?secure=false'],
  ],
  [
    {
      type: 'trino',
      method: 'none',
      host: 't',
      port: 443,
      user: 'me',
      catalog: 'hive',
      http_scheme: 'https',
    },
    ['trino://me@t:443/hive?secure=true'],
  ],
  [
    {
      type: 'trino',
      method: 'ldap',
      host: 't',
      port: 443,
      user: 'me',
      password: 'p/w',
      impersonation_user: 'you',
      database: 'hive',
      cert: '/ca.pem',
      roles: { system: 'ana;lyst' },
      session_properties: { query_max_run_time: '5m' },
      http_headers: { 'x-key': 'a:b' },
      client_tags: 'nightly',
      timezone: 'UTC',
    },
    [
      'trino://me:p%2Fw@t:443/hive?secure=true&impersonation_user=you&sslrootcert=%2Fca.pem&roles=system%3Aana%253Blyst&session_properties=query_max_run_time%3A5m&http_headers=x-key%3Aa%253Ab&client_tags=nightly&timezone=UTC',
    ],
  ],
  [
    {
      type: 'trino',
      method: 'jwt',
      host: 't',
      port: 443,
      jwt_token: 'ey.x',
      database: 'hive',
      cert: 'false',
    },
    ['trino://:ey.x@t:443/hive?secure=true&auth=jwt&verify=false'],
  ],
  [
    {
      type: 'trino',
      method: 'certificate',
      host: 't',
      port: 443,
      user: 'me',
      database: 'hive',
      client_certificate: '/me.pem',
      client_private_key: '/me.key',
    },
    ['trino://me@t:443/hive?secure=true&sslcert=%2Fme.pem&sslkey=%2Fme.key'],
  ],
  [{ type: 'duckdb', path: 'data/raw.duckdb' }, ['duckdb:/project/data/raw.duckdb']],
  [{ type: 'duckdb', path: '/data/raw.duckdb' }, ['duckdb:/data/raw.duckdb']],
  [{ type: 'sqlite', schema: 'main', schemas_and_paths: { main: './raw.db' } }, ['sqlite:/project/raw.db']],
])('%j is reached', (fields, addresses) => {
  expect(output(fields)).toEqual({ addresses })
})

test.each([
  [
    { type: 'clickhouse', driver: 'chdb', chdb_path: '/data' },
    'its ClickHouse runs inside dbt, and is lost when dbt ends',
  ],
  [
    { type: 'trino', method: 'oauth', host: 't' },
    'its authentication "oauth" opens a browser; use a target with "method: jwt" and a token',
  ],
  [
    { type: 'trino', method: 'oauth_console', host: 't' },
    'its authentication "oauth_console" needs a browser; use a target with "method: jwt" and a token',
  ],
  [
    { type: 'trino', method: 'gssapi', host: 't' },
    'its authentication "gssapi" needs a Kerberos ticket; use a target with "method: jwt" and a token',
  ],
  [
    { type: 'trino', method: 'magic', host: 't' },
    'its authentication "magic" is not supported; use a target with "method: jwt" and a token',
  ],
  [
    { type: 'trino', method: 'kerberos', host: 't' },
    'its authentication "kerberos" needs a Kerberos ticket; use a target with "method: jwt" and a token',
  ],
  [{ type: 'oracle' }, 'no catalog reads oracle directly'],
  [{ type: 'duckdb' }, 'its DuckDB is in memory, and is lost when dbt ends'],
  [{ type: 'duckdb', path: 'md:raw' }, 'its DuckDB is not a file on this machine'],
])('%j is not reached', (fields, reason) => {
  expect(output(fields)).toEqual({ reason })
})

test('looks where dbt looks, in its order', async () => {
  const root = mkdtempSync(join(tmpdir(), 'stagecraft-profiles-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const profiles = (user: string) =>
    `shop: { outputs: { default: { type: duckdb, path: x, user: ${user} } } }\n`
  const folders = ['flag', 'variable', 'work', 'project', 'home/.dbt']
  for (const folder of folders) {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'profiles.yml'), profiles(folder))
  }
  const places = {
    workingFolder: join(root, 'work'),
    projectFolder: join(root, 'project'),
    home: join(root, 'home'),
  }
  const settings = readSettings('name: shop\nprofile: shop')
  const find = async (options: object = {}, environment: Record<string, string> = {}) =>
    (await findProfile(settings, { ...places, environment, ...options }))?.profile.fields['user']
  const variable = { DBT_PROFILES_DIR: join(root, 'variable') }
  expect(await find({ flag: join(root, 'flag') }, variable)).toBe('flag')
  expect(await find({}, variable)).toBe('variable')
  expect(await find({}, { DBT_ENGINE_PROFILES_DIR: join(root, 'variable') })).toBe('variable')
  for (const folder of folders.slice(2)) {
    expect(await find()).toBe(folder)
    rmSync(join(root, folder, 'profiles.yml'))
  }
  expect(await find()).toBeUndefined()
  await expect(find({ flag: join(root, 'home') })).rejects.toThrow(
    '--profiles-dir: expected a folder with profiles.yml',
  )
})
