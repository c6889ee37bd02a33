import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, test, expect } from 'vitest'
import { nameFolder } from '../folder-form.ts'
import { openCatalog } from '../open.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-clients-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const HEADERS = [
  'source_dialect',
  'record_kind',
  'table_catalog',
  'table_schema',
  'table_name',
  'column_name',
  'ordinal_position',
  'data_type',
  'is_nullable',
  'column_comment',
  'constraint_type',
  'row_count',
]

/** The same two tables, as rows of one result. */
const rowsOf = (dialect: string, schema = 'shop'): readonly (readonly (string | null)[])[] => [
  [dialect, 'tables', 'raw', schema, 'orders', null, null, null, null, null, null, '7'],
  [dialect, 'columns', 'raw', schema, 'orders', 'id', '1', 'bigint', 'NO', 'of the "order", new', null, null],
  [dialect, 'columns', 'raw', schema, 'orders', 'total', '2', 'decimal(12,2)', 'YES', null, null, null],
  [dialect, 'keys', 'raw', schema, 'orders', 'id', '1', null, null, null, 'PRIMARY KEY', null],
]

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`
const asNeeded = (cell: string): string => (/[",\n]/.test(cell) ? quoted(cell) : cell)

function csv(
  dialect: string,
  {
    cell = asNeeded,
    head = asNeeded,
    nothing = '',
  }: { cell?: (text: string) => string; head?: (text: string) => string; nothing?: string } = {},
): string {
  const lines = rowsOf(dialect).map((row) => row.map((one) => (one === null ? nothing : cell(one))).join(','))
  return `${[HEADERS.map(head).join(','), ...lines].join('\n')}\n`
}

const objects = (dialect: string, schema?: string): readonly object[] =>
  rowsOf(dialect, schema).map((row) => Object.fromEntries(HEADERS.map((name, index) => [name, row[index]])))

/** `clickhouse-client --format JSON`: a document of several lines with its columns, rows and statistics. */
const clickhouseJson = (schema: string): string =>
  JSON.stringify(
    {
      meta: HEADERS.map((name) => ({ name, type: 'Nullable(String)' })),
      data: objects('clickhouse', schema),
      rows: 4,
      statistics: { elapsed: 0.01 },
    },
    null,
    '\t',
  )

test.each([
  ['SnowSQL and Snowsight', csv('snowflake', { head: (name) => quoted(name.toUpperCase()), cell: quoted })],
  ['bq --format=csv', csv('bigquery')],
  ['the SQL editor of Databricks', csv('databricks', { nothing: 'null' })],
  [
    'clickhouse-client --format CSVWithNames',
    csv('clickhouse', { head: quoted, cell: quoted, nothing: '\\N' }),
  ],
  ['trino --output-format CSV_HEADER', csv('trino', { head: quoted, cell: quoted, nothing: '""' })],
  ['the console of Athena', csv('athena', { head: quoted, cell: quoted })],
  [
    'sqlcmd -W -s "<tab>"',
    [
      HEADERS,
      HEADERS.map(() => '---'),
      ...rowsOf('sqlserver').map((row) => row.map((cell) => cell ?? 'NULL')),
    ]
      .map((cells) => cells.join('\t'))
      .join('\r\n') + '\r\n\r\n(4 rows affected)\r\n',
  ],
])('reads the result of %s', async (_, text) => {
  const folder = folderWith({ 'result.csv': text })
  const catalog = await openCatalog(join(folder, 'result.csv'))
  const tables = await catalog.tables({})
  expect(tables).toMatchObject([
    {
      name: 'orders',
      columns: [
        { name: 'id', type: 'bigint', nullable: false, comment: 'of the "order", new' },
        { name: 'total', type: 'decimal(12,2)' },
      ],
      primaryKey: ['id'],
    },
  ])
  expect(tables[0]?.columns[1]).not.toHaveProperty('comment')
  // information_schema of Databricks has no sizes
  const sizes = catalog.dialect === 'databricks' ? undefined : [{ rows: 7 }]
  expect(await catalog.sizes?.(tables)).toEqual(sizes)
})

test.each([
  ['bq --format=json', JSON.stringify(objects('bigquery')) + '\n'],
  [
    'bq --format=prettyjson, twice',
    [objects('bigquery'), objects('bigquery', 'web')].map((rows) => JSON.stringify(rows, null, 2)).join('\n'),
  ],
  ['clickhouse-client --format JSON', clickhouseJson('shop')],
  ['clickhouse-client --format JSON, twice', `${clickhouseJson('shop')}\n${clickhouseJson('web')}\n`],
  [
    'trino --output-format JSON',
    objects('trino')
      .map((row) => JSON.stringify(row))
      .join('\n'),
  ],
  ['one row as a line', JSON.stringify(objects('trino')[1])],
  [
    'snow sql --format json of two statements',
    JSON.stringify([objects('snowflake'), objects('snowflake', 'web')]),
  ],
])('reads the result of %s', async (name, text) => {
  const folder = folderWith({ 'result.json': text })
  const tables = await (await openCatalog(join(folder, 'result.json'))).tables({})
  expect(tables.map(({ schema }) => schema)).toEqual(/twice|two/.test(name) ? ['shop', 'web'] : ['shop'])
  expect(tables[0]?.columns[0]).toMatchObject({ name: 'id', type: 'bigint', nullable: false })
})

test('reads tabs with the escapes of clickhouse-client --format TSVWithNames', async () => {
  const head = ['record_kind', 'table_name', 'column_name', 'data_type', 'column_comment']
  const row = ['columns', 't', 'c', "Enum8(\\'a\\' = 1)", String.raw`it\'s\r\n\\ \N`]
  const folder = folderWith({
    'r.tsv': [head, row, ['columns', 't', 'd', 'Int8', String.raw`\N`]]
      .map((cells) => cells.join('\t'))
      .join('\n'),
  })
  const [table] = await (await openCatalog(join(folder, 'r.tsv'))).tables({})
  expect(table?.columns).toEqual([
    { name: 'c', type: "Enum8('a' = 1)", comment: "it's\r\n\\ \\N" },
    { name: 'd', type: 'Int8' },
  ])
})

test('keeps a column that is called null', async () => {
  const folder = folderWith({
    'r.csv': 'record_kind,table_name,column_name,data_type,column_comment\ncolumns,t,null,int,null\n',
  })
  const [table] = await (await openCatalog(join(folder, 'r.csv'))).tables({})
  expect(table?.columns).toEqual([{ name: 'null', type: 'int' }])
})

test('reads the results that a pattern matches, and no others', async () => {
  const folder = folderWith({
    'shop-1.csv': csv('trino'),
    'shop-2.json': JSON.stringify(objects('trino', 'web')),
    'other.csv': 'x\n1\n',
  })
  const tables = await (await openCatalog(`columns:${join(folder, 'shop-*')}`)).tables({})
  expect(tables.map(({ schema }) => schema)).toEqual(['shop', 'web'])
  expect(await (await openCatalog(join(folder, 'shop-*.csv'))).tables({})).toHaveLength(1)
  await expect(openCatalog(join(folder, 'web-*.csv'))).rejects.toThrow(
    `catalog: expected results as .csv, .tsv, .json, .jsonl, .ndjson under names like web-*.csv, got none in ${folder}`,
  )
})

test.each([
  ['columns', { 'shop.sql': 'select 1', '1/download (3).csv': csv('athena') }],
  ['columns', { 'a.jsonl': JSON.stringify(objects('trino')[0]) }],
  ['dbt', { 'manifest.json': '{}', 'run_results.json': '{}' }],
  ['duckdb', { 'orders.csv': 'id,total\n1,2\n' }],
  ['duckdb', { 'orders.parquet': '' }],
  ['ddl', { 'migrations/1.sql': 'create table t (id int)' }],
])('finds that a folder is for %s:', async (scheme, files) => {
  const folder = folderWith(files)
  expect(await nameFolder(folder)).toBe(`${scheme}:${folder}`)
  expect(await nameFolder(`${folder}/`)).toBe(`${scheme}:${folder}/`)
})

test('leaves other texts as they are', async () => {
  const project = folderWith({ 'dbt_project.yml': '', 'seeds/a.csv': 'id\n1\n', 'models/a.sql': 'select 1' })
  for (const text of [project, `${project}/`, 'ddl:src', 'postgres://h/d', 'missing', 'a.csv', ''])
    expect(await nameFolder(text)).toBe(text)
})

test('says what a folder lacks, and which one is missing', async () => {
  const folder = folderWith({ 'notes.txt': '' })
  await expect(nameFolder(folder)).rejects.toThrow(
    `catalog: expected a folder with manifest.json, results of stagecraft export, data files (.parquet, .csv, .tsv) or .sql files, got ${folder} with none of these`,
  )
  const gone = join(folder, 'gone')
  await expect(nameFolder(`${gone}/`)).rejects.toThrow(`cannot read ${gone}/: no such file or folder`)
  await expect(openCatalog(join(gone, '*.csv'))).rejects.toThrow(
    `cannot read ${gone}: no such file or folder`,
  )
})

test('reads only the beginning of data, and no pipes', async () => {
  const folder = folderWith({ 'a.csv': `id,note\n1,${'x'.repeat(100_000)}table_name\n` })
  expect(await nameFolder(folder)).toBe(`duckdb:${folder}`)
  execFileSync('mkfifo', [join(folder, 'a.tsv')])
  rmSync(join(folder, 'a.csv'))
  await expect(nameFolder(folder)).rejects.toThrow('a.tsv: it is a pipe, not a file')
})
