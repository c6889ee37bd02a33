import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Catalog, CatalogTable, NamePart } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import { duckdb } from './index.ts'
import { openInstance } from './instance.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-duckdb-'))
const shop = join(folder, 'raw.duckdb')
const quoted = (text: string): NamePart => ({ text, quoted: true })

async function run(path: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    await connection.run(sql)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

beforeAll(() => run(shop, readFileSync(new URL('../../fixtures/shop/duckdb.sql', import.meta.url), 'utf8')))
afterAll(() => rmSync(folder, { recursive: true }))

catalogSuite('DuckDB', () => duckdb({ path: shop }), {
  places: { standard: 'main', database: 'raw' },
  gaps: [
    {
      reason: 'DuckDB takes names that differ in case for the same',
      tables: ['Twin', 'twin'],
      tests: [
        'prefers the very same name to one in other case',
        'refuses an unquoted name that differs from two in case',
      ],
    },
    {
      reason: 'DuckDB has no foreign keys between schemas',
      tests: ['reads a foreign key into another schema'],
    },
  ],
})

describe('a DuckDB file', () => {
  test('is read with the types, enums and unique indexes that only DuckDB has', async () => {
    const path = join(folder, 'details.duckdb')
    await run(
      path,
      `create type mood as enum ('ok', 'it''s "so"');
       create table details (
         m mood, e enum ('a', 'b') check (e in ('a')), s struct(a integer, b varchar), l integer[], b boolean check (b in (true))
       );
       create unique index "odd ""name" on details (b, m);
       create unique index other on details ((lower(e::varchar)));
       create view v as select 1 as x; comment on view v is 'one'; comment on column v.x is 'always 1';
       create temp table passing (id integer)`,
    )
    const catalog = await duckdb({ path })
    const tables = await catalog.tables({})
    await catalog.close()
    expect(tables).toEqual<readonly CatalogTable[]>([
      {
        database: 'details',
        schema: 'main',
        name: 'details',
        kind: 'table',
        columns: [
          { name: 'm', type: `ENUM('ok', 'it''s "so"')`, values: ['ok', `it's "so"`] },
          { name: 'e', type: "ENUM('a', 'b')", values: ['a'] },
          { name: 's', type: 'STRUCT(a INTEGER, b VARCHAR)' },
          { name: 'l', type: 'INTEGER[]' },
          { name: 'b', type: 'BOOLEAN', values: [true] },
        ],
        uniqueKeys: [['b', 'm']],
      },
      {
        database: 'details',
        schema: 'main',
        name: 'v',
        kind: 'view',
        comment: 'one',
        columns: [{ name: 'x', type: 'INTEGER', comment: 'always 1' }],
      },
    ])
  })

  test('that another process writes to is refused, with the process', async () => {
    const hold = `const { DuckDBInstance } = await import('@duckdb/node-api')
      const instance = await DuckDBInstance.create(${JSON.stringify(shop)})
      await instance.connect()
      console.log('ready')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', hold], {
      cwd: new URL('../..', import.meta.url),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    const failure = duckdb({ path: shop })
    await expect(failure).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining(
        `another process (PID ${child.pid}) has it open for writing`,
      ) as string,
    })
    child.kill()
    await once(child, 'exit')
  })

  test.each([
    ['missing.duckdb', 'no such file or folder'],
    ['text.duckdb', 'it is not a DuckDB database'],
  ])('that cannot be read is refused: %s', async (name, reason) => {
    writeFileSync(
      join(folder, 'text.duckdb'),
      'this is no database, only a text that is longer than a header of one\n',
    )
    const path = join(folder, name)
    await expect(duckdb({ path })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { path, reason },
    })
  })

  test('that a later DuckDB wrote is refused with a remedy', async () => {
    const path = join(folder, 'later.duckdb')
    writeFileSync(path, asOfLater(readFileSync(await smallDatabase(join(folder, 'small.duckdb')))))
    await expect(duckdb({ path })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { suggestion: expect.stringContaining('a newer DuckDB wrote it') as string },
    })
  })

  test('is read through a given client, which stays open', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const client = await instance.connect()
    await client.run('create table t (id integer primary key)')
    const catalog = await duckdb({ client })
    expect(await catalog.describe({ table: quoted('t') })).toMatchObject({ primaryKey: ['id'] })
    await catalog.close()
    expect((await client.runAndReadAll('select 1')).currentRowCount).toBe(1)
    client.closeSync()
    instance.closeSync()
  })
})

describe('a folder of files', () => {
  const data = mkdtempSync(join(tmpdir(), 'stagecraft-files-'))
  const strange = `we[i]rd 'quote'`
  let catalog: Catalog
  beforeAll(async () => {
    const write = (name: string, query: string): string =>
      `copy (${query}) to '${join(data, name).replaceAll("'", "''")}' (format parquet);`
    await run(
      ':memory:',
      write('payments.parquet', `select 1::bigint as id, 1.5::decimal(10,2) as amount, {'a': 1} as details`) +
        write(`${strange}.parquet`, 'select 1 as "select"'),
    )
    writeFileSync(join(data, 'customers.csv'), 'id,joined\n1,2024-01-01\n')
    writeFileSync(join(data, 'notes.txt'), 'not a table')
    mkdirSync(join(data, 'parts.parquet'))
    catalog = await duckdb({ path: `${data}/` })
  })
  afterAll(async () => {
    await catalog.close()
    rmSync(data, { recursive: true })
  })

  test('is a schema main of one table per parquet or csv file', async () => {
    expect(await catalog.tables({})).toEqual<readonly CatalogTable[]>([
      {
        schema: 'main',
        name: 'customers',
        kind: 'external',
        columns: [
          { name: 'id', type: 'BIGINT' },
          { name: 'joined', type: 'DATE' },
        ],
        location: `read_csv('${data}/customers.csv')`,
      },
      {
        schema: 'main',
        name: 'payments',
        kind: 'external',
        columns: [
          { name: 'id', type: 'BIGINT' },
          { name: 'amount', type: 'DECIMAL(10,2)' },
          { name: 'details', type: 'STRUCT(a INTEGER)' },
        ],
        location: `read_parquet('${data}/payments.parquet')`,
      },
      {
        schema: 'main',
        name: strange,
        kind: 'external',
        columns: [{ name: 'select', type: 'INTEGER' }],
        location: `read_parquet('${data}/we[[]i]rd ''quote''.parquet')`,
      },
    ])
    expect(catalog.dialect).toBe('duckdb')
  })

  test('gives locations that DuckDB reads', async () => {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    for (const { location } of await catalog.tables({})) {
      expect((await connection.runAndReadAll(`from ${location}`)).currentRowCount).toBe(1)
    }
    connection.closeSync()
    instance.closeSync()
  })

  test('finds tables like a database', async () => {
    expect((await catalog.describe({ table: { text: 'PAYMENTS', quoted: false } })).name).toBe('payments')
    await expect(catalog.describe({ table: quoted('payment') })).rejects.toThrow('did you mean payments?')
  })

  test('reads only the requested files, and names an unreadable one', async () => {
    const broken = join(data, 'broken.parquet')
    writeFileSync(broken, 'this is no parquet file')
    const other = await duckdb({ path: data })
    expect((await other.describe({ table: quoted('payments') })).columns).toHaveLength(3)
    await expect(other.tables({})).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { path: broken },
    })
    await other.close()
    rmSync(broken)
  })

  test('without such files is refused', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'stagecraft-empty-'))
    await expect(duckdb({ path: empty })).rejects.toThrow('no file in it ends in .parquet, .csv, .csv.gz')
    writeFileSync(join(empty, 'a.csv'), 'x\n1\n')
    writeFileSync(join(empty, 'a.csv.gz'), '')
    await expect(duckdb({ path: empty })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('one file for the table a') as string,
    })
    rmSync(empty, { recursive: true })
  })
})

/** Gives a database file another version of the format: behind the checksum of the header, and the letters `DUCK`. */
function asOfLater(bytes: Buffer): Buffer {
  const share = (): bigint => BigInt.asUintN(64, bytes.readBigUInt64LE(8) * 0xbf58476d1ce4e5b9n)
  const before = share()
  bytes.writeUInt32LE(9999, 12)
  bytes.writeBigUInt64LE(bytes.readBigUInt64LE(0) ^ before ^ share(), 0)
  return bytes
}

async function smallDatabase(path: string): Promise<string> {
  const instance = await DuckDBInstance.create(path)
  const client = await instance.connect()
  await client.run('create table a (id integer)')
  client.closeSync()
  instance.closeSync()
  return path
}

test('a query that takes too long ends with its time limit', async () => {
  const instance = await openInstance('memory', 'memory', 0.1)
  const late = instance.withConnection((query) =>
    query('select sum(a.range * b.range) from range(1000000) a, range(1000000) b'),
  )
  await expect(late).rejects.toThrow('a query timed out after 0.1 s')
  instance.close()
})
