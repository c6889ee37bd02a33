import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog, CatalogTable, NamePart } from '@stagecraft/spec'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import { dbt, readDbtProject } from './index.ts'

/** Written by dbt 1.10 and cut down to what is read. */
const target = new URL('../../fixtures/dbt', import.meta.url).pathname
const bare = (text: string): NamePart => ({ text, quoted: false })

catalogSuite('dbt artifacts', () => dbt({ path: target }), {
  places: { standard: 'main', database: 'raw' },
  gaps: [
    {
      reason: 'the warehouse of the project takes names that differ in case for the same',
      tables: ['Twin', 'twin'],
      tests: [
        'prefers the very same name to one in other case',
        'refuses an unquoted name that differs from two in case',
      ],
    },
    {
      reason: 'dbt would run the braces in the YAML of such a source',
      tables: ['dot.q"uote {{ braces }}'],
      tests: ['finds a table with a dot, a quote and braces in its name'],
    },
    {
      reason: 'no test of dbt relates several columns',
      tests: ['reads a composite foreign key in key order'],
    },
    { reason: 'the artifacts hold no defaults', tests: ['reads a default'] },
  ],
})

describe('the artifacts of a project', () => {
  let catalog: Catalog
  beforeAll(async () => {
    catalog = await dbt({ path: join(target, 'manifest.json') })
  })

  test('are read in the dialect of its adapter', () => {
    expect(catalog.dialect).toBe('duckdb')
  })

  test('contain sources under the names in the project', async () => {
    const source = { schema: bare('webshop'), table: bare('purchases') }
    expect(await catalog.describe(source)).toMatchObject({
      schema: 'shop',
      name: 'orders',
      primaryKey: ['id'],
    })
    expect((await catalog.describe(source)).model).toBeUndefined()
    const all = await catalog.tables({ schema: bare('webshop') })
    expect(all.map(({ name }) => name)).toContain('shipments')
    await expect(catalog.describe({ ...source, table: bare('purchase') })).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      details: { suggestion: 'did you mean purchases?' },
    })
  })

  test('contain models under their names and those of their tables', async () => {
    const model = await catalog.describe({ table: bare('dim_customers') })
    expect(model).toEqual<CatalogTable>({
      database: 'raw',
      schema: 'marts',
      name: 'customers_clean',
      kind: 'table',
      comment: 'One row per customer',
      columns: [
        { name: 'id', type: 'INTEGER', nullable: false },
        { name: 'email', type: 'VARCHAR', comment: 'Mail' },
        { name: 'status', type: 'VARCHAR' },
      ],
      primaryKey: ['id'],
      uniqueKeys: [['email']],
      model: 'dim_customers',
    })
    expect(await catalog.describe({ schema: bare('marts'), table: bare('customers_clean') })).toEqual(model)
  })

  test('contain seeds, snapshots and the latest version of a model, but nothing ephemeral', async () => {
    const tables = await catalog.tables({ schema: bare('marts') })
    expect(tables.map(({ model, name }) => [name, model])).toEqual([
      ['countries', 'countries'],
      ['customers_clean', 'dim_customers'],
      ['customers_history', 'customers_history'],
      ['plan_v2', 'plan'],
    ])
    await expect(catalog.describe({ table: bare('eph') })).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
  })

  test('contain what YAML says about a table that the warehouse does not have', async () => {
    expect(await catalog.describe({ table: bare('never_built') })).toEqual<CatalogTable>({
      database: 'raw',
      schema: 'crm',
      name: 'never_built',
      kind: 'table',
      columns: [
        { name: 'id', type: 'bigint', comment: 'Only documented' },
        { name: 'note', type: 'unknown' },
      ],
    })
  })

  test('follow a foreign key to the table of a model', async () => {
    expect((await catalog.describe({ table: bare('open_orders') })).foreignKeys).toEqual([
      {
        columns: ['customer_id'],
        references: { table: { schema: 'marts', name: 'customers_clean' }, columns: ['id'] },
      },
    ])
  })

  test('ignore tests that check only some rows or only warn', async () => {
    const { columns, uniqueKeys } = await catalog.describe({ table: bare('customers') })
    expect(uniqueKeys).toEqual([['email']])
    expect(columns.find(({ name }) => name === 'balance')?.nullable).toBeUndefined()
  })

  test('report what the project itself has', async () => {
    expect(await readDbtProject(target)).toEqual({
      models: [
        { name: 'dim_customers', columns: ['id', 'email', 'status'] },
        { name: 'open_orders', columns: ['order_id', 'customer_id'] },
        { name: 'plan', columns: ['id', 'amount'] },
      ],
      packages: ['dbt_utils'],
      requireDbtVersion: undefined,
      installedDbtVersion: '1.10.23',
      testArgumentsProperty: true,
    })
  })
})

describe('artifacts made for the test', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-dbt-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  interface Parts {
    readonly adapter?: string
    readonly version?: number
    readonly nodes?: object
    readonly sources?: object
    readonly catalog?: object
  }

  async function tablesOf({
    adapter = 'bigquery',
    catalog,
    nodes = {},
    sources = {},
    version = 12,
  }: Parts): Promise<{
    readonly dialect: Catalog['dialect']
    readonly tables: readonly CatalogTable[]
  }> {
    const url = 'https://schemas.getdbt.com/dbt'
    const metadata = { dbt_schema_version: `${url}/manifest/v${version}.json`, adapter_type: adapter }
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ metadata, nodes, sources }))
    const entries = {
      metadata: { dbt_schema_version: `${url}/catalog/v1.json` },
      nodes: {},
      sources: {},
      ...catalog,
    }
    writeFileSync(join(folder, 'catalog.json'), JSON.stringify(entries))
    const read = await dbt({ path: folder })
    return { dialect: read.dialect, tables: await read.tables({}) }
  }

  const source = (more: object = {}): object => ({
    name: 't',
    source_name: 's',
    schema: 'd',
    database: 'p',
    columns: {},
    ...more,
  })
  const model = (name: string, more: object = {}): object => ({
    name,
    resource_type: 'model',
    schema: 'd',
    alias: name,
    columns: {},
    ...more,
  })
  const tested = (name: string, kwargs: object, more: object = {}): object => ({
    resource_type: 'test',
    test_metadata: { name, kwargs: { model: "{{ get_where_subquery(source('s', 't')) }}", ...kwargs } },
    ...more,
  })

  test('drop the fields of structs that BigQuery lists as columns', async () => {
    const columns = {
      address: { name: 'address', type: 'STRUCT<zip STRING>', index: 1 },
      'address.zip': { name: 'address.zip', type: 'STRING', index: 2 },
    }
    const { tables } = await tablesOf({
      sources: { a: source() },
      catalog: { sources: { a: { metadata: { type: 'table' }, columns } } },
    })
    expect(tables[0]?.columns).toEqual([{ name: 'address', type: 'STRUCT<zip STRING>' }])
  })

  test.each([
    ['spark', 'databricks'],
    ['fabric', 'sqlserver'],
    ['trino', 'trino'],
    ['teradata', undefined],
  ])('of the adapter %s have the dialect %s', async (adapter, dialect) => {
    expect((await tablesOf({ adapter })).dialect).toBe(dialect)
  })

  test.each([10, 11, 12])('of version %i are read', async (version) => {
    expect((await tablesOf({ version, sources: { a: source() } })).tables).toHaveLength(1)
  })

  test('list a table without any known columns', async () => {
    expect((await tablesOf({ sources: { a: source() } })).tables).toEqual([
      { database: 'p', schema: 'd', name: 't', kind: 'table', columns: [] },
    ])
  })

  test('read the kind of a table from the catalog, or else from the project', async () => {
    const { tables } = await tablesOf({
      sources: { a: source({ external: { location: 's3://x' } }) },
      nodes: {
        b: model('b', { config: { materialized: 'materialized_view' } }),
        c: model('c', { config: { materialized: 'incremental' } }),
        d: model('d', { config: { materialized: 'table' } }),
      },
      catalog: { nodes: { d: { metadata: { type: 'VIEW', comment: 'kept there' }, columns: {} } } },
    })
    expect(tables.map(({ comment, kind, name }) => [name, kind, comment])).toEqual([
      ['b', 'view', undefined],
      ['c', 'table', undefined],
      ['d', 'view', 'kept there'],
      ['t', 'external', undefined],
    ])
  })

  test('read the foreign keys of contracts', async () => {
    const constraint = (more: object): object => ({
      type: 'foreign_key',
      columns: ['a_id'],
      to_columns: ['id'],
      ...more,
    })
    const columns = { a_id: { name: 'a_id', data_type: 'int64' } }
    const { tables } = await tablesOf({
      nodes: {
        a: model('a', { relation_name: '`p`.`d`.`a`' }),
        b: model('b', { columns, constraints: [constraint({ to: '`p`.`d`.`a`' })] }),
        c: model('c', { columns, constraints: [constraint({ to: "ref('a')" })] }),
        d: model('d', { columns, constraints: [constraint({ to: 'elsewhere' })] }),
      },
    })
    const keys = [{ columns: ['a_id'], references: { table: { schema: 'd', name: 'a' }, columns: ['id'] } }]
    expect(tables.map(({ foreignKeys }) => foreignKeys)).toEqual([undefined, keys, keys, undefined])
  })

  test('read tests with their arguments in any place', async () => {
    const columns = { a: { name: 'a', data_type: 'int64' }, B: { name: 'B', data_type: 'string' } }
    const { tables } = await tablesOf({
      sources: { x: source({ columns }) },
      nodes: {
        1: tested('accepted_values', { column_name: '`b`', arguments: { values: ['x', 'y'] } }),
        2: tested('accepted_values', { column_name: 'a', values: ['1', '2.5', true], quote: false }),
        3: tested('not_null', { column_name: 'a', model: undefined }, { attached_node: 'x' }),
        4: tested('unique', { column_name: "a || '-' || b" }),
        5: tested('unique', { column_name: 'a' }, { config: { error_if: '>100' } }),
        6: tested('unique', { column_name: 'a' }, { config: { enabled: false } }),
        7: tested('accepted_values', { column_name: 'a', values: ["date '2020-01-01'"], quote: false }),
        8: { resource_type: 'test', test_metadata: null },
      },
    })
    expect(tables[0]).toEqual({
      database: 'p',
      schema: 'd',
      name: 't',
      kind: 'table',
      columns: [
        { name: 'a', type: 'int64', nullable: false, values: [1, 2.5, true] },
        { name: 'B', type: 'string', values: ['x', 'y'] },
      ],
    })
  })

  test('choose no primary key if there are two candidates', async () => {
    const columns = { a: { name: 'a' }, b: { name: 'b' } }
    const both = (column_name: string): object[] => [
      tested('unique', { column_name }),
      tested('not_null', { column_name }),
    ]
    const { tables } = await tablesOf({
      sources: { x: source({ columns }) },
      nodes: Object.fromEntries([...both('a'), ...both('b')].entries()),
    })
    expect([tables[0]?.primaryKey, tables[0]?.uniqueKeys]).toEqual([undefined, [['a'], ['b']]])
  })

  test('read a table that is both built and a source as the model', async () => {
    const { tables } = await tablesOf({
      sources: { a: source({ name: 'b', database: null }) },
      nodes: { b: model('b') },
    })
    expect(tables).toEqual([{ schema: 'd', name: 'b', kind: 'table', columns: [], model: 'b' }])
  })

  test('contain names as stored in the warehouse, without escaped quotes', async () => {
    const { tables } = await tablesOf({
      adapter: 'postgres',
      sources: { a: source({ name: 'ab', identifier: 'a""b', schema: 'd""`' }) },
      nodes: { b: { ...model('b'), alias: 'b""' } },
    })
    const places = tables.map(({ name, schema }) => `${schema}.${name}`)
    expect(places.toSorted()).toEqual(['d"`.a"b', 'd.b"'])
  })

  test('of other kinds and versions are refused', async () => {
    await expect(tablesOf({ version: 9 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(
        'expected a manifest of dbt, version 10, 11, 12, got a manifest of version 9',
      ) as string,
    })
    writeFileSync(join(folder, 'manifest.json'), '{ "nodes": ')
    await expect(dbt({ path: folder })).rejects.toThrow('got another file')
    await expect(dbt({ path: join(folder, 'catalog.json') })).rejects.toThrow('got a catalog of version 1')
    await expect(dbt({ path: join(folder, 'nowhere') })).rejects.toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('no such file; dbt parse and dbt docs generate create it') as string,
    })
  })

  test('are read without a catalog', async () => {
    await tablesOf({
      sources: { a: source({ columns: { id: { name: 'id', data_type: 'int64', description: 'x' } } }) },
    })
    rmSync(join(folder, 'catalog.json'))
    const catalog = await dbt({ path: folder })
    expect((await catalog.tables({}))[0]?.columns).toEqual([{ name: 'id', type: 'int64', comment: 'x' }])
  })
})
