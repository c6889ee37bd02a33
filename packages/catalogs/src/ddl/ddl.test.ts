import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogSuite, type CatalogSuiteOptions } from '../../../../test/suites/catalog.ts'
import { ddl } from './index.ts'

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname

const NO_DATABASE = {
  reason: 'the statements name no database, so that any fits',
  tests: ['takes the name of the database into account'],
}
const NO_CASE = {
  reason: 'the engine takes names that differ in case for the same',
  tables: ['Twin', 'twin'],
  tests: [
    'prefers the very same name to one in other case',
    'refuses an unquoted name that differs from two in case',
  ],
}

/** The shop in statements as people write them, and as tools print them. */
const SCRIPTS: readonly (readonly [path: string, dialect: DialectName | undefined, CatalogSuiteOptions])[] = [
  ['shop/postgres.sql', 'postgres', { gaps: [NO_DATABASE] }],
  ['shop/postgres.sql', undefined, { gaps: [NO_DATABASE] }],
  ['ddl/pg_dump.sql', 'postgres', { gaps: [NO_DATABASE] }],
  ['ddl/pg_dump.sql', undefined, { gaps: [NO_DATABASE] }],
  ['ddl/mysqldump.sql', 'mysql', { places: { standard: 'standard' }, gaps: [NO_DATABASE] }],
  [
    'shop/duckdb.sql',
    'duckdb',
    {
      places: { standard: 'main' },
      gaps: [
        NO_DATABASE,
        NO_CASE,
        {
          reason: 'DuckDB has no foreign keys between schemas',
          tests: ['reads a foreign key into another schema'],
        },
      ],
    },
  ],
]

for (const [path, dialect, options] of SCRIPTS) {
  catalogSuite(`${path} as ${dialect ?? 'SQL'}`, () => ddl({ path: fixture(path), dialect }), options)
}

async function tablesOf(name: string, dialect?: DialectName): Promise<ReadonlyMap<string, CatalogTable>> {
  const catalog = await ddl({ path: fixture(`ddl/${name}.sql`), dialect })
  expect([dialect, name, undefined]).toContain(catalog.dialect)
  return new Map((await catalog.tables({})).map((table) => [table.name, table]))
}

/** A table on few lines: `name type` of each column. */
function brief(table: CatalogTable | undefined): readonly string[] | undefined {
  return table?.columns.map(
    ({ name, nullable, type }) => `${name} ${type}${nullable === false ? ' not null' : ''}`,
  )
}

describe('statements that warehouses print', () => {
  test('of Snowflake are read', async () => {
    const tables = await tablesOf('snowflake', 'snowflake')
    expect([...tables.keys()].toSorted()).toEqual(['CL', 'DT', 'Mixed', 'PAYMENTS', 'V'])
    expect(brief(tables.get('PAYMENTS'))).toEqual([
      'ID NUMBER(38,0) not null',
      'CUSTOMER_ID VARCHAR(20)',
      'AMOUNT NUMBER(18,2)',
      'STATUS VARCHAR(16777216)',
      'Weird Name VARIANT',
      'EMAIL VARCHAR(256)',
      'CREATED TIMESTAMP_NTZ(9)',
      'TAGS ARRAY',
      'ADDR OBJECT(street VARCHAR, zip NUMBER(5,0) NOT NULL)',
      'VEC VECTOR(FLOAT, 256)',
    ])
    expect(tables.get('PAYMENTS')).toMatchObject({
      schema: 'STRIPE',
      comment: 'One row per payment',
      primaryKey: ['ID'],
      uniqueKeys: [['EMAIL']],
      foreignKeys: [
        {
          columns: ['CUSTOMER_ID'],
          references: { table: { schema: 'CRM', name: 'CUSTOMERS' }, columns: ['ID'] },
        },
      ],
    })
    expect(tables.get('PAYMENTS')?.columns[2]?.comment).toBe("cents; it's an integer")
    expect(tables.get('Mixed')).toMatchObject({ database: 'RAW', schema: 'STRIPE', primaryKey: ['Id'] })
    expect(tables.get('CL')?.columns).toHaveLength(10)
  })

  test('of BigQuery are read', async () => {
    const tables = await tablesOf('bigquery', 'bigquery')
    expect(brief(tables.get('orders'))).toEqual([
      'id INT64 not null',
      'customer_id INT64',
      'customer STRUCT<id INT64, name STRING, tags ARRAY<STRING>>',
      'lines ARRAY<STRUCT<sku STRING, qty NUMERIC(10, 2)>>',
      'status STRING(10)',
      'created_at TIMESTAMP not null',
      'day DATE',
    ])
    expect(tables.get('orders')).toMatchObject({
      database: 'my-project',
      schema: 'shop',
      comment: 'All orders',
      primaryKey: ['id'],
      foreignKeys: [{ references: { table: { schema: 'shop', name: 'customers' }, columns: ['id'] } }],
    })
    expect(tables.get('orders')?.columns.flatMap(({ comment }) => comment ?? [])).toEqual([
      "The order's id",
      'Lines, "many" of them',
    ])
    expect(brief(tables.get('ext'))).toEqual(['a STRING', 'b INT64', 'dt DATE'])
    expect(tables.get('ext')?.kind).toBe('external')
    expect([tables.get('snap')?.columns.length, tables.get('copy')?.columns.length]).toEqual([7, 7])
  })

  test('of Databricks are read', async () => {
    const tables = await tablesOf('databricks', 'databricks')
    expect(brief(tables.get('orders'))).toEqual([
      'id BIGINT not null',
      'weird `name STRING',
      'customer STRUCT<id: BIGINT, name: STRING>',
      'props MAP<STRING, ARRAY<INT>>',
      'amount DECIMAL(10,2)',
      'status STRING not null',
    ])
    expect(tables.get('orders')).toMatchObject({
      database: 'spark_catalog',
      comment: 'All orders',
      primaryKey: ['id'],
      foreignKeys: [
        {
          columns: ['status'],
          references: { table: { schema: 'shop', name: 'statuses' }, columns: ['code'] },
        },
      ],
    })
    expect(tables.get('orders')?.columns[1]?.comment).toBe("It's weird")
  })

  test('of Redshift are read', async () => {
    const tables = await tablesOf('redshift', 'redshift')
    expect(brief(tables.get('sales'))).toEqual([
      'salesid INTEGER not null',
      'listid INTEGER not null',
      'commission NUMERIC(8,2)',
      'note VARCHAR(max)',
      'saletime TIMESTAMP WITHOUT TIME ZONE',
      'id BIGINT not null',
      'gid BIGINT not null',
      'doc SUPER',
    ])
    expect(tables.get('sales')).toMatchObject({
      primaryKey: ['salesid'],
      foreignKeys: [{ references: { table: { schema: 'public', name: 'listing' }, columns: ['listid'] } }],
    })
    expect(tables.get('sales')?.columns[3]?.comment).toBe('free text')
    expect(brief(tables.get('ev'))).toEqual(['a int', 'b varchar(10)', 'dt date'])
    expect(tables.get('ev')?.kind).toBe('external')
  })

  test('of SQL Server are read', async () => {
    const tables = await tablesOf('sqlserver', 'sqlserver')
    expect([...tables.keys()]).toEqual(['Orders'])
    expect(brief(tables.get('Orders'))).toEqual([
      'Id int not null',
      'Weird ]Name nvarchar(max)',
      'Amount decimal(18, 2) not null',
      'Total unknown',
      'Guid uniqueidentifier not null',
      'Name dbo.NameType',
      'CustomerId int not null',
      'Created datetime2(7) not null',
      'ValidFrom datetime2(7) not null',
      'ValidTo datetime2(7) not null',
    ])
    expect(tables.get('Orders')).toMatchObject({
      database: 'Shop',
      schema: 'dbo',
      primaryKey: ['Id'],
      uniqueKeys: [['Guid']],
      foreignKeys: [
        {
          columns: ['CustomerId'],
          references: { table: { schema: 'dbo', name: 'Customers' }, columns: ['Id'] },
        },
      ],
    })
    expect(tables.get('Orders')?.columns[2]?.comment).toBe('What people order')
    expect(tables.get('Orders')?.columns[5]?.values).toEqual(['b', 'a'])
  })

  test('of ClickHouse are read, without its primary key', async () => {
    const tables = await tablesOf('clickhouse', 'clickhouse')
    expect(brief(tables.get('events'))).toEqual([
      'id UInt64 not null',
      'kind LowCardinality(Nullable(String))',
      "state Enum8('new' = 1, 'old' = 2) not null",
      "at DateTime64(3, 'UTC') not null",
      'props Map(String, Array(Tuple(a UInt8, b String))) not null',
      'day Date not null',
      'al String not null',
    ])
    expect(tables.get('events')?.primaryKey).toBeUndefined()
    expect(tables.get('events')?.comment).toBe('All events')
    expect(tables.get('events')?.columns[2]?.values).toEqual(['new', 'old'])
  })

  test('of Athena are read, with partition columns', async () => {
    const tables = await tablesOf('athena', 'athena')
    expect(brief(tables.get('orders'))).toEqual([
      'id bigint',
      'customer struct<id:bigint,name:string,tags:array<string>>',
      'amount decimal(10,2)',
      'dt string',
      'region string',
    ])
    expect(tables.get('orders')).toMatchObject({ schema: 'shop', kind: 'external', comment: 'All orders' })
    expect(tables.get('orders')?.columns.flatMap(({ comment }) => comment ?? [])).toEqual(['the day'])
  })

  test('of Trino are read', async () => {
    const tables = await tablesOf('trino', 'trino')
    expect(brief(tables.get('orders'))).toEqual([
      'id bigint not null',
      'customer ROW(id bigint, name varchar(20))',
      'tags array(varchar)',
      'props map(varchar, bigint)',
      'created_at timestamp(3) with time zone',
      'Weird Name varchar',
      'dt date',
    ])
    expect(tables.get('orders')).toMatchObject({ database: 'hive', schema: 'shop', comment: 'All orders' })
  })

  test.each([
    'snowflake',
    'bigquery',
    'databricks',
    'redshift',
    'sqlserver',
    'clickhouse',
    'athena',
    'trino',
  ] as const)('of %s are read without naming the dialect, with the same columns', async (name) => {
    const [known, guessed] = [await tablesOf(name, name), await tablesOf(name)]
    const columns = (tables: ReadonlyMap<string, CatalogTable>): readonly unknown[] =>
      [...tables].map(([table, { columns: all }]) => [table, all.map((column) => [column.name, column.type])])
    expect(columns(guessed)).toEqual(columns(known))
  })
})

describe('files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-ddl-'))
  const write = (name: string, text: string | Uint8Array): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  beforeAll(() => {
    mkdirSync(join(folder, 'schema/tables'), { recursive: true })
    write('schema/a_keys.sql', 'alter table orders add foreign key (customer_id) references customers;')
    write('schema/tables/customers.sql', 'create table customers (id int primary key);')
    write('schema/tables/ORDERS.SQL', 'create table orders (id int, customer_id int)')
    write('schema/readme.md', 'create table nothing (')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  test('of a folder are read at any depth, in any order', async () => {
    const catalog = await ddl({ path: join(folder, 'schema') })
    const tables = await catalog.tables({})
    expect(tables.map(({ name }) => name)).toEqual(['customers', 'orders'])
    expect(tables[1]?.foreignKeys).toEqual([
      { columns: ['customer_id'], references: { table: { name: 'customers' }, columns: ['id'] } },
    ])
  })

  test('may name their dialect in a comment at the top', async () => {
    const path = write('said.sql', '\n-- Dialect: Snowflake\ncreate table a (b int);')
    const catalog = await ddl({ path })
    expect(catalog.dialect).toBe('snowflake')
    expect(await catalog.tables({})).toMatchObject([{ name: 'A', columns: [{ name: 'B' }] }])
    expect((await ddl({ path, dialect: 'duckdb' })).dialect).toBe('duckdb')
    await expect(ddl({ path: write('wrong.sql', '-- dialect: oracle') })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('got "oracle"') as string,
    })
  })

  test('of two dialects are refused', async () => {
    mkdirSync(join(folder, 'mixed'))
    write('mixed/a.sql', '-- dialect: mysql')
    write('mixed/b.sql', '-- dialect: duckdb')
    await expect(ddl({ path: join(folder, 'mixed') })).rejects.toThrow('expected one dialect, got mysql in')
  })

  test('may be UTF-16, like those of SQL Server', async () => {
    const text = Buffer.from('\ufeffCREATE TABLE [größe] ([id] [int])', 'utf16le')
    const catalog = await ddl({ path: write('wide.sql', text) })
    expect(await catalog.tables({})).toMatchObject([{ name: 'größe' }])
  })

  test('are read except for unknown statements, which warnings report with their places', async () => {
    const path = write(
      'faulty.sql',
      `create table good (id int);
create table bad (
  id int,
  state varchar(10) frobnicate
);
create table worse (id int, primary key);
create table good (id int);
`,
    )
    const catalog = await ddl({ path, dialect: 'postgres' })
    expect((await catalog.tables({})).map(brief)).toEqual([
      ['id int', 'state varchar(10)'],
      ['id int'],
      ['id int'],
    ])
    expect(catalog.warnings).toEqual(
      [
        'line 4: "frobnicate" in create table bad is skipped; expected a constraint or property of the column state, or a comma',
        'line 6: the end of the statement in create table worse is skipped; expected the columns of the key in brackets',
        'line 7: a second one in create table good is skipped; expected one definition of good',
      ].map((message) => ({ code: 'DDL_SKIPPED', message: `${path}, ${message}` })),
    )
  })

  test('without any known statement are refused with every place', async () => {
    const path = write('nothing.sql', 'create table a (\n  "b\n);\ncreate foo table b (c int);')
    const failure = ddl({ path })
    await expect(failure).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { faults: [{ path, line: 2 }] },
    })
    await expect(failure).rejects.toThrow('expected a closing "')
  })

  test('that are missing are refused', async () => {
    await expect(ddl({ path: join(folder, 'missing.sql') })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      details: { reason: 'no such file or folder' },
    })
    mkdirSync(join(folder, 'empty'))
    await expect(ddl({ path: join(folder, 'empty') })).rejects.toThrow('no *.sql file in it')
  })
})
