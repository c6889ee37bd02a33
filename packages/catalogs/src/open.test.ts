import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { FORMS } from './forms.ts'
import { openCatalog } from './index.ts'
import { locateCatalog } from './open.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname

describe('a text is read as', () => {
  test.each([
    ['a columns file', () => write('columns.yml', '[{ name: a, columns: [] }]'), undefined],
    [
      'a columns file in capitals',
      () => write('COLUMNS.JSON', '[{ "name": "a", "columns": [] }]'),
      undefined,
    ],
    ['a columns file with a dialect', () => `${fixture('shop/columns.csv')}?dialect=Redshift`, 'redshift'],
    ['a columns file by its scheme', () => `columns:${fixture('shop/columns.yml')}`, 'postgres'],
    ['an SQL file', () => write('schema.sql', 'create table a (b int)'), undefined],
    [
      'an SQL file with a question mark',
      () => `${write('wh?at.sql', 'create table a (b int)')}?dialect=duckdb`,
      'duckdb',
    ],
    ['a folder of SQL files', () => `ddl:${fixture('shop/duckdb.sql')}?dialect=duckdb`, 'duckdb'],
    ['dbt artifacts', () => `dbt:${fixture('dbt')}/`, 'duckdb'],
    ['a folder of data', () => `duckdb:${join(write('a.csv', 'x\n1\n'), '..')}`, 'duckdb'],
  ])('%s', async (_, text, dialect) => {
    const catalog = await openCatalog(text())
    expect(catalog.dialect).toBe(dialect)
    expect((await catalog.tables({})).length).toBeGreaterThan(0)
    await catalog.close()
  })

  test.each([
    ['duckdb:/no/such.duckdb', 'cannot read /no/such.duckdb'],
    ['sqlite:/no/such.db', 'cannot read /no/such.db'],
    ['postgresql://127.0.0.1:1/x', 'cannot read PostgreSQL at 127.0.0.1:1: connection refused'],
    ['MariaDB://127.0.0.1:1/x', 'cannot read MySQL at 127.0.0.1:1: connection refused'],
    ['clickhouse://127.0.0.1:2/x', 'cannot read ClickHouse at 127.0.0.1:2: connection refused'],
    ['trino://127.0.0.1:2/x', 'cannot read Trino at 127.0.0.1:2: connection refused'],
    ['dbt:/no/such', 'cannot read /no/such/manifest.json'],
  ])('a catalog of its scheme, which fails as such: %s', async (text, message) => {
    const failure = openCatalog(text)
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  })
})

describe('refuses', () => {
  test.each([
    ['', 'got ""'],
    ['warehouse', 'got "warehouse"'],
    ['oracle://account/db', 'got "oracle:…"'],
    ['postgresql+psycopg2://me:canary@host/db', 'got "postgresql+psycopg2:…"'],
    ['me:canary@host/db', 'got "me:…"'],
    ['_:canary@host', 'got something else'],
    ['host=db user=bob password=canary', 'got something else'],
    ['duckdb:', 'got "duckdb:…"'],
    ['sqlite:a.db?dialect=sqlite', 'expected sqlite:path.db without ?dialect='],
    ['schema.sql?dialect=oracle', 'expected a dialect, one of snowflake'],
  ])('%j', async (text, message) => {
    const error: unknown = await openCatalog(text).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(message) as string,
      details: { faults: [{}] },
    })
    expect(inspect(error)).not.toContain('canary')
  })

  test.each([
    ['oracle://x', 'expected a known scheme instead of oracle:, got "oracle:…"'],
    ['postgress://me:canary@h/d', `expected ${FORMS[1]?.example}, got "postgress:…"`],
    ['duckdb', 'expected duckdb:path.duckdb, duckdb:folder/, got "duckdb"'],
    ['tables.txt', ', .sql, or a scheme before it, such as ddl: or columns:, got "tables.txt"'],
  ])('a text of another form gets the nearest one, and the place of the list: %s', async (text, message) => {
    const error: unknown = await openCatalog(text).catch((caught: unknown) => caught)
    expect(String(error)).toContain(`${message}; stagecraft --help lists all forms of catalogs`)
    expect(String(error).length).toBeLessThan(250)
  })
})

test.each([
  'duckdb:.',
  'sqlite:a.db',
  'a.yml',
  'a.sql',
  'dbt:.',
  'postgres://h/d',
  'mysql://h/d',
  'clickhouse://h',
  'trino://h/c',
])('throws the reason of an aborted signal: %s', async (text) => {
  const reason = new Error('stopped')
  await expect(openCatalog(text, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test.each([
  ['postgres://me:canary@db.example.com/raw', 'postgres', 'db.example.com:5432/raw', []],
  ['postgresql://me@db.example.com:6543/a%20b?sslmode=require', 'postgres', 'db.example.com:6543/a b', []],
  ['postgres:///raw?host=/var/run/db&password=canary', 'postgres', '/var/run/db:5432/raw', ['/var/run/db']],
  ['postgres://h/d?sslrootcert=/etc/ca.pem', 'postgres', 'h:5432/d', ['/etc/ca.pem']],
  ['mysql://me:canary@h:3307/shop', 'mysql', 'h:3307/shop', []],
  ['MariaDB://me@h/shop?socketPath=/run/my.sock', 'mysql', 'h:3306/shop', ['/run/my.sock']],
  ['clickhouse://me:canary@h/raw?sslkey=/k.pem', 'clickhouse', 'h:8123/raw', ['/k.pem']],
  ['trino://me:canary@h/hive/raw?http_headers=x:canary', 'trino', 'h:8080/hive/raw', []],
  [
    'databricks://token:canary@h/main/raw?http_path=/sql/1.0/warehouses/1',
    'databricks',
    'h:443/main/raw',
    [],
  ],
  ['athena://AKIA1:canary@eu-west-1/awsdatacatalog', 'athena', 'eu-west-1:443/awsdatacatalog', []],
  ['/data/shop.duckdb', 'duckdb', '/data/shop.duckdb', ['/data/shop.duckdb']],
  ['duckdb:/data/', 'duckdb', '/data/', ['/data/']],
  ['sqlite:shop.db', 'sqlite', 'shop.db', ['shop.db']],
  ['/data/columns.yml?dialect=snowflake', 'columns', '/data/columns.yml', ['/data/columns.yml']],
  ['ddl:/data/sql', 'ddl', '/data/sql', ['/data/sql']],
  ['dbt:/project/target', 'dbt', '/project/target', ['/project/target']],
])('describes the target of %s', (text, kind, target, localPaths) => {
  const place = locateCatalog(text)
  const isServer = !['duckdb', 'sqlite', 'columns', 'ddl', 'dbt'].includes(kind)
  expect(place).toMatchObject({ kind, target, isServer, localPaths })
  expect(JSON.stringify(place)).not.toContain('canary')
})

test.each([
  ['postgres://me@h/d', true],
  ['postgres://me:@h/d', true],
  ['postgres://me:canary@h/d', false],
  ['postgres://me@h/d?password=canary', false],
  ['mysql://me@h/d', false],
  ['athena://eu-west-1/awsdatacatalog?profile=me', true],
  ['athena://AKIA1:canary@eu-west-1/awsdatacatalog', false],
  ['databricks://h/main?client_id=me&client_secret=canary', false],
  ['redshift://me@h/d', false],
  ['bigquery://bigquery.googleapis.com/p?keyfile=/key.json', true],
  ['bigquery://bigquery.googleapis.com/p?token=canary', false],
  ['bigquery://bigquery.googleapis.com?token=canary', true],
  ['bigquery://bigquery.googleapis.com/p?keyfile_json=canary', false],
  ['sqlite:/a.db', false],
])('knows if %s borrows a password', (text, borrowsPassword) => {
  expect(locateCatalog(text).borrowsPassword).toBe(borrowsPassword)
})

test.each([
  ['clickhouse://me@h/d', 'CLICKHOUSE_PASSWORD'],
  ['trino://me@h/d', 'TRINO_PASSWORD'],
])('%s borrows %s if that is set', (text, variable) => {
  expect(locateCatalog(text).borrowsPassword).toBe(false)
  process.env[variable] = 'canary'
  try {
    expect(locateCatalog(text).borrowsPassword).toBe(true)
    expect(locateCatalog(text.replace('me@', 'me:canary@')).borrowsPassword).toBe(false)
  } finally {
    Reflect.deleteProperty(process.env, variable)
  }
})

test.each(['env:WAREHOUSE', 'oracle://me:canary@h/d', 'postgres://me:can#ary@h/d', 'me:canary@h', ''])(
  'refuses %j without repeating a secret',
  (text) => {
    const error = thrownBy(() => locateCatalog(text))
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', details: { faults: [{ path: 'catalog' }] } })
    expect(inspect(error)).not.toMatch(/canary|can#|ary@/)
  },
)

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('expected it to throw')
}

test.each(['host=a&host=/var/run/db', 'password=canary&password=', 'sslkey=a&sslkey=b'])(
  'refuses repeated options, because drivers differ in which one they use: %s',
  (options) => {
    expect(() => locateCatalog(`postgres://me@h/d?${options}`)).toThrow(/expected/)
  },
)
