// Odd and nested types from the answers that each warehouse is documented to give, to the SQL of the staging model.
import { DIALECTS, generate } from '@stagecraft/core'
import { printSourceName } from '@stagecraft/core/run'
import { renderJinja } from '../../packages/core/src/verify/sql-parser.ts'
import type { CatalogTable, Config, ExportedDialect } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { EXPORTS } from '../../packages/catalogs/src/export/exports.ts'
import { sqlFault } from '../oracle.ts'
import { assembleTables } from '../../packages/catalogs/src/warehouse/assemble-tables.ts'
import type { Results, Row } from '../../packages/catalogs/src/warehouse/statement.ts'

const CONFIG: Config = { options: { flatten: 'one level', columnOrder: 'source' } }

async function tablesOf(dialect: ExportedDialect, results: Results): Promise<readonly CatalogTable[]> {
  const { toTables } = await EXPORTS[dialect]()
  return assembleTables(toTables(results), { dialect, database: undefined })
}

/** What a model selects, whose SQL a parser reads, and the codes of its warnings. */
async function stage(dialect: ExportedDialect, table: CatalogTable) {
  const source = printSourceName({ database: undefined, schema: 'raw', table: table.name }, DIALECTS[dialect])
  const { code, files, warnings } = generate({ type: 'staging', source }, table, { dialect, config: CONFIG })
  expect(await sqlFault(renderJinja(code), dialect)).toBeUndefined()
  const lists = [...code.matchAll(/select\s([^]*?)\sfrom\b/g)].map(([, list = '']) => list)
  const selected = lists.flatMap((list) => list.split(',\n').map((item) => item.trim()))
  return {
    selected,
    codes: warnings.map((one) => one.code),
    yaml: files.map(({ content }) => content).join('\n'),
  }
}

const table = (name: string, more: Row = {}): Row => ({
  table_schema: 'raw',
  table_name: name,
  table_type: 'BASE TABLE',
  ...more,
})
const columns = (name: string, ...types: readonly (readonly [column: string, type: string, more?: Row])[]) =>
  types.map(([column, type, more = {}], at) => ({
    table_schema: 'raw',
    table_name: name,
    column_name: column,
    ordinal_position: at + 1,
    data_type: type,
    is_nullable: 'YES',
    ...more,
  }))

const CASES: readonly (readonly [ExportedDialect, Results, Readonly<Record<string, readonly string[]>>])[] = [
  [
    'bigquery',
    {
      tables: [table('events_20260130'), table('events_20260131')],
      columns: columns(
        'events_20260131',
        ['params', 'ARRAY<STRUCT<key STRING, value STRUCT<n INT64>>>'],
        ['geo', 'STRUCT<city STRING, `Zip code` STRING, at STRUCT<lat FLOAT64>>'],
      ),
    },
    {
      'events_*': [
        '*',
        'params',
        'geo.city as geo_city',
        'geo.`Zip code` as geo_zip_code',
        'geo.`at` as geo_at',
      ],
    },
  ],
  [
    'snowflake',
    {
      tables: [table('ORDERS'), table('odd Name')],
      columns: [
        ...columns(
          'ORDERS',
          ['ID', 'NUMBER(38,0)'],
          ['PAYLOAD', 'VARIANT'],
          ['lower', 'VARCHAR'],
          ['DOC', 'OBJECT'],
          ['LIST', 'ARRAY'],
        ),
        ...columns('odd Name', ['ID', 'NUMBER(38,0)']),
      ],
    },
    {
      ORDERS: ['*', 'id as order_id', 'payload', '"lower" as lower', 'doc', 'list'],
      'odd Name': ['*', 'id as odd_name_id'],
    },
  ],
  [
    'databricks',
    {
      tables: [table('orders', { table_type: 'MANAGED' })],
      columns: columns(
        'orders',
        ['tags', 'map<string,array<int>>'],
        ['place', 'struct<city:string,`zip code`:int,at:struct<lat:double>>'],
        ['v', 'variant'],
      ),
    },
    {
      orders: [
        '*',
        'tags',
        'place.city as place_city',
        'place.`zip code` as place_zip_code',
        'place.at as place_at',
        'v',
      ],
    },
  ],
  [
    'redshift',
    {
      tables: [table('events'), table('late', { table_type: 'VIEW' })],
      columns: columns(
        'events',
        ['id', 'bigint'],
        ['payload', 'super'],
        ['sketch', 'hllsketch'],
        ['raw_bytes', 'varbyte(64)'],
      ),
      late_binding: columns('late', ['id', 'integer'], ['payload', 'super']),
    },
    {
      events: ['*', 'id as event_id', 'payload', 'sketch', 'raw_bytes'],
      late: ['*', 'id as late_id', 'payload'],
    },
  ],
  [
    'clickhouse',
    {
      tables: [table('events', { table_type: 'MergeTree' })],
      columns: columns(
        'events',
        ['kind', 'LowCardinality(Nullable(String))'],
        ['n', 'Nullable(Int64)'],
        ['pair', 'Tuple(a Nullable(Int8), `b c` String)'],
        ['tags', 'Map(String, Array(Nullable(String)))'],
      ),
    },
    {
      events: [
        '*',
        'kind',
        'n',
        "tupleElement(pair, 'a') as pair_a",
        "tupleElement(pair, 'b c') as pair_b_c",
        'tags',
      ],
    },
  ],
  [
    'trino',
    {
      tables: [table('events')],
      columns: columns(
        'events',
        ['pair', 'row(a bigint, "b c" varchar(5))'],
        ['tags', 'map(varchar, array(varchar))'],
        ['at', 'timestamp(3) with time zone'],
      ),
    },
    {
      events: [
        '*',
        'pair.a as pair_a',
        'pair."b c" as pair_b_c',
        'tags',
        "cast(at at time zone 'UTC' as timestamp(6)) as at",
      ],
    },
  ],
  [
    'sqlserver',
    {
      tables: [
        table('Orders'),
        table('OrdersHistory', { history_of_schema: 'raw', history_of_table: 'Orders' }),
      ],
      columns: [
        ...columns(
          'Orders',
          ['Id', 'int'],
          ['Total', 'decimal(12,2)'],
          ['ValidFrom', 'datetime2(7)', { is_hidden: true }],
          ['Doc', 'xml'],
        ),
        ...columns('OrdersHistory', ['Id', 'int'], ['ValidFrom', 'datetime2(7)']),
      ],
    },
    {
      Orders: ['*, ValidFrom', 'Id as order_id', 'Total as total', 'ValidFrom as valid_from', 'Doc as doc'],
      OrdersHistory: ['*', 'Id as orders_history_id', 'ValidFrom as valid_from'],
    },
  ],
]

test.each(CASES)('%s', async (dialect, results, expected) => {
  const staged = await Promise.all(
    (await tablesOf(dialect, results)).map(async (one) => [one.name, await stage(dialect, one)] as const),
  )
  expect(
    Object.fromEntries(
      staged.map(([name, { codes, selected }]) => [name, [...selected.slice(0, -1), ...codes]]),
    ),
  ).toEqual(expected)
})

test.each([
  ['bigquery', /- name: events\n +identifier: events_\*\n/],
  ['snowflake', /- name: odd_name\n +identifier: odd Name\n +quoting:\n +identifier: true\n/],
  ['snowflake', /- name: lower\n +quote: true\n/],
  ['sqlserver', /- name: ValidFrom\n +data_type: datetime2\(7\)\n/],
] as const)('the sources file of %s says %s', async (dialect, pattern) => {
  const [, results = {}] = CASES.find(([name]) => name === dialect) ?? []
  const staged = await Promise.all((await tablesOf(dialect, results)).map((one) => stage(dialect, one)))
  expect(staged.map(({ yaml }) => yaml).join('\n')).toMatch(pattern)
})
