import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { openCatalog } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const fixture = (name: string): string => new URL(`../fixtures/${name}`, import.meta.url).pathname

describe('a text is taken for', () => {
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
    ['dbt:/no/such', 'cannot read /no/such/manifest.json'],
  ])('a catalog of its scheme, which fails as such: %s', async (text, message) => {
    const failure = openCatalog(text)
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  })
})

describe('refused is', () => {
  test.each([
    ['', 'got ""'],
    ['warehouse', 'got "warehouse"'],
    ['snowflake://account/db', 'got "snowflake:…"'],
    ['postgresql+psycopg2://me:canary@host/db', 'got "postgresql+psycopg2:…"'],
    ['me:canary@host/db', 'got "me:…"'],
    ['_:canary@host', 'got another text'],
    ['host=db user=bob password=canary', 'got another text'],
    ['duckdb:', 'got "duckdb:…"'],
    ['sqlite:a.db?dialect=sqlite', 'expected sqlite:path.db without ?dialect='],
    ['schema.sql?dialect=oracle', 'expected as dialect one of snowflake'],
  ])('%j', async (text, message) => {
    const error: unknown = await openCatalog(text).catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(message) as string,
      details: { faults: [{}] },
    })
    expect(inspect(error)).not.toContain('canary')
  })

  test('a text of another form, with all forms there are', async () => {
    await expect(openCatalog('oracle://x')).rejects.toThrow(
      'catalog: expected one of duckdb:path.duckdb, duckdb:folder/, postgres://user:password@host:5432/database, ' +
        'mysql://user:password@host:3306/database, sqlite:path.db, columns.yml, columns.json, columns.csv, columns:path, ' +
        'schema.sql, ddl:folder/, dbt:target/, dbt:target/manifest.json, got "oracle:…"',
    )
  })
})

test.each(['duckdb:.', 'sqlite:a.db', 'a.yml', 'a.sql', 'dbt:.', 'postgres://h/d', 'mysql://h/d'])(
  'throws the reason of a signal that has aborted: %s',
  async (text) => {
    const reason = new Error('stopped')
    await expect(openCatalog(text, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  },
)
