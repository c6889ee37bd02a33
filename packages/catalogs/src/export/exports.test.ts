import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DialectName, EXPORTED_DIALECTS } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { sqlFault } from '../../../../test/oracle.ts'
import { openCatalog } from '../open.ts'
import { printExport } from './print-export.ts'

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Returns the statements of a chain as single ones: a parser knows neither SHOW nor the results that are read. */
function queriesOf(text: string): readonly string[] {
  return text
    .split('\n->> ')
    .filter((sql) => !sql.startsWith('show '))
    .map((sql) => sql.replaceAll(/\bfrom \$\d/g, 'from shown'))
}

test.each(EXPORTED_DIALECTS)(
  'prints statements for %s, as recorded, that a parser reads',
  async (dialect) => {
    const printed = await printExport([{ database: 'RAW', schema: "it's \\ mine" }], dialect)
    const text = printed.map((one) => `-- ${one.name}\n${one.text};\n`).join('\n')
    await expect(text).toMatchFileSnapshot(`../../fixtures/exports/${dialect}.sql`)
    for (const { name, text: sql } of printed)
      for (const query of queriesOf(sql))
        expect([name, await sqlFault(query, dialect)]).toEqual([name, undefined])
  },
)

test('prints one statement for several schemas, of several databases', async () => {
  const places = [
    { database: 'RAW', schema: 'A' },
    { database: 'RAW', schema: 'B' },
  ]
  const [printed, ...others] = await printExport(places, 'snowflake')
  expect(others).toEqual([])
  const parts = printed?.text.split('\n->> ') ?? []
  expect(parts.slice(0, -1).map((sql) => sql.replace(/ keys in schema "RAW"\./, ''))).toEqual(
    ['A', 'B'].flatMap((schema) =>
      ['primary', 'unique', 'imported'].map((kind) => `show ${kind}"${schema}"`),
    ),
  )
  // each reads its own rows: the last statement before is $1
  expect(parts.at(-1)?.match(/\$\d/g)).toEqual(['$6', '$5', '$4', '$3', '$2', '$1'])
  for (const query of queriesOf(printed?.text ?? ''))
    expect(await sqlFault(query, 'snowflake')).toBeUndefined()
  const names = (await printExport(places, 'redshift')).map(({ name }) => name)
  expect(names.filter((name) => name.endsWith('/columns'))).toEqual(['1/columns', '2/columns'])
})

test('warns of a result that is as long as clients make it', async () => {
  const rows = Array.from({ length: 100 }, (_, at) => `bigquery,columns,shop,t,c${at},INT64`)
  const header = 'source_dialect,record_kind,table_schema,table_name,column_name,data_type'
  const folder = folderWith({
    'cut.csv': [header, ...rows].join('\n'),
    'whole.csv': [header, ...rows.slice(1)].join('\n'),
  })
  const warningsOf = async (name: string) =>
    (await openCatalog(join(folder, name))).warnings?.map(({ message }) => message) ?? []
  expect(await warningsOf('whole.csv')).toEqual([])
  expect(await warningsOf('cut.csv')).toEqual([
    `${join(folder, 'cut.csv')} has exactly 100 rows, after which bq stops without --max_rows: tables, columns or keys may be missing`,
  ])
})

test('names the dialects that have statements', async () => {
  await expect(printExport([{ schema: 'x' }], 'duckdb' satisfies DialectName)).rejects.toThrow(
    `dialect: expected one of ${EXPORTED_DIALECTS.join(', ')}, got duckdb`,
  )
})

test.each([
  ['bigquery', 'field_path'],
  ['postgres', 'allowed_values'],
  ['sqlserver', 'history_of_table'],
  ['trino', 'extra_info'],
] as const)(
  'prints what the catalog of %s reads beyond the standard headers: %s',
  async (dialect, header) => {
    const printed = await printExport([{ schema: 'x' }], dialect)
    expect(printed.map(({ text }) => text).join('\n')).toContain(`(r.${header} as `)
  },
)

const CSV = `SOURCE_DIALECT,RECORD_KIND,TABLE_CATALOG,TABLE_SCHEMA,TABLE_NAME,TABLE_TYPE,TABLE_COMMENT,ROW_COUNT,COLUMN_NAME,ORDINAL_POSITION,DATA_TYPE,IS_NULLABLE,CONSTRAINT_TYPE
postgres,columns,raw,shop,orders,,,,total,2,"numeric(12,2)",YES,
postgres,columns,raw,shop,orders,,,,id,1,bigint,NO,
postgres,tables,raw,shop,orders,BASE TABLE,All,12,,,,,
postgres,keys,raw,shop,orders,,,,id,1,,,PRIMARY KEY
`

const ORDERS = {
  database: 'raw',
  schema: 'shop',
  name: 'orders',
  kind: 'table',
  comment: 'All',
  columns: [
    { name: 'id', type: 'bigint', nullable: false },
    { name: 'total', type: 'numeric(12,2)' },
  ],
  primaryKey: ['id'],
}

const RECORDS = [
  {
    RECORD_KIND: 'tables',
    SOURCE_DIALECT: 'postgres',
    TABLE_NAME: 'orders',
    TABLE_TYPE: 'BASE TABLE',
    TABLE_COMMENT: 'All',
    ROW_COUNT: 12,
  },
  {
    RECORD_KIND: 'columns',
    TABLE_NAME: 'orders',
    COLUMN_NAME: 'total',
    DATA_TYPE: 'numeric(12,2)',
    ORDINAL_POSITION: 2,
  },
  {
    RECORD_KIND: 'columns',
    TABLE_NAME: 'orders',
    COLUMN_NAME: 'id',
    DATA_TYPE: 'bigint',
    ORDINAL_POSITION: 1,
    IS_NULLABLE: false,
  },
  {
    RECORD_KIND: 'keys',
    TABLE_NAME: 'orders',
    COLUMN_NAME: 'id',
    CONSTRAINT_TYPE: 'PRIMARY KEY',
    ORDINAL_POSITION: 1,
  },
].map((record) => ({ TABLE_CATALOG: 'raw', TABLE_SCHEMA: 'shop', ...record }))

test('reads one file of all records, in the dialect that they name', async () => {
  const folder = folderWith({ 'result.csv': CSV })
  const catalog = await openCatalog(join(folder, 'result.csv'))
  expect(catalog.dialect).toBe('postgres')
  const tables = await catalog.tables({})
  expect(tables).toEqual([ORDERS])
  expect(await catalog.sizes?.(tables)).toEqual([{ rows: 12 }])
})

test('reads the output of mysql --batch: tabs, no quotes, and backslash escapes', async () => {
  const cells = (...values: readonly string[]): string => values.join('\t')
  const text = [
    cells(
      'source_dialect',
      'record_kind',
      'table_schema',
      'table_name',
      'column_name',
      'data_type',
      'column_comment',
    ),
    cells('mysql', 'columns', 'shop', 'orders', 'a\\\\b', 'int', 'the "first", "second"\\nand\\tthird'),
    cells('mysql', 'columns', 'shop', 'orders', 'c', 'int', 'NULL'),
  ].join('\n')
  const folder = folderWith({ 'result.tsv': `${text}\n` })
  const [table] = await (await openCatalog(join(folder, 'result.tsv'))).tables({})
  expect(table?.columns).toMatchObject([
    { name: 'a\\b', comment: 'the "first", "second"\nand\tthird' },
    { name: 'c' },
  ])
  expect(table?.columns[1]?.comment).toBeUndefined()
})

test('reads a struct of BigQuery as one column', async () => {
  const folder = folderWith({
    'schema.csv': `source_dialect,record_kind,table_schema,table_name,column_name,field_path,ordinal_position,data_type
bigquery,columns,shop,orders,id,id,1,INT64
bigquery,columns,shop,orders,place,place,2,STRUCT<city STRING>
bigquery,columns,shop,orders,place,place.city,2,STRING
`,
  })
  const [table] = await (await openCatalog(join(folder, 'schema.csv'))).tables({})
  expect(table?.columns).toEqual([
    { name: 'id', type: 'INT64' },
    { name: 'place', type: 'STRUCT<city STRING>' },
  ])
})

test.each([
  ['sqlcmd -s "," -W', ',', '\n(2 rows affected)\n'],
  ['sqlcmd -s "<tab>" -W', '\t', '\n(1 row affected)\n'],
  ['psql -A -F "<tab>"', '\t', '(2 rows)\n'],
  ['snowsql', ',', '2 Row(s) produced. Time Elapsed: 1.009s\n'],
])('ignores what %s prints around the rows', async (client, separator, end) => {
  const lines = [
    ['source_dialect', 'record_kind', 'table_schema', 'table_name', 'column_name', 'data_type'],
    ...(client.startsWith('sqlcmd') ? [Array.from({ length: 6 }, () => '---')] : []),
    ['sqlserver', 'tables', 'shop', 'orders', 'NULL', 'NULL'],
    ['sqlserver', 'columns', 'shop', 'orders', 'id', 'int'],
  ].map((cells) => cells.join(separator))
  const folder = folderWith({ 'result.csv': `${lines.join('\n')}\n${end}` })
  const [table] = await (await openCatalog(join(folder, 'result.csv'))).tables({})
  expect(table?.columns).toEqual([{ name: 'id', type: 'int' }])
})

test.each([
  ['a list', JSON.stringify(RECORDS)],
  ['an object with it', JSON.stringify({ meta: [], data: RECORDS })],
  ['an object a line', RECORDS.map((record) => JSON.stringify(record)).join('\n')],
])('reads them as JSON: %s', async (_, text) => {
  const folder = folderWith({ 'result.json': text })
  expect(await (await openCatalog(join(folder, 'result.json'))).tables({})).toEqual([ORDERS])
})

test('reads a folder of results, of several schemas', async () => {
  const folder = folderWith({
    '1/schema.csv': CSV,
    '2/schema.jsonl': RECORDS.map((record) => JSON.stringify({ ...record, TABLE_SCHEMA: 'web' })).join('\n'),
    'notes.txt': 'nothing',
  })
  const catalog = await openCatalog(`columns:${folder}`)
  expect(await catalog.tables({})).toEqual([ORDERS, { ...ORDERS, schema: 'web' }])
})

const OF_REDSHIFT: Readonly<Record<string, string>> = {
  tables: `source_dialect,record_kind,table_catalog,table_schema,table_name,table_type,table_comment
redshift,tables,raw,shop,orders,BASE TABLE,All
redshift,tables,raw,shop,late,VIEW,
`,
  columns: `source_dialect,record_kind,table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,column_default
redshift,columns,raw,shop,orders,id,1,integer,
redshift,columns,raw,shop,orders,table_name,2,text,
`,
  constraints: `table_schema,table_name,constraint_name,constraint_kind,definition,referenced_schema,referenced_table
shop,orders,orders_pkey,p,PRIMARY KEY (id),,
`,
  late_binding: `table_schema,table_name,column_name,ordinal_position,data_type
shop,late,table_schema,1,integer
shop,late,table_name,2,super
`,
  external_columns: 'table_schema,table_name,column_name,ordinal_position,data_type,partition_position\n',
  distribution: `table_schema,table_name,column_name,dist_position,sort_position
shop,orders,id,1,1
`,
  table_info: 'table_schema,table_name,row_count,byte_count\nshop,orders,12,1048576\n',
}

test.each([
  [
    'a file for each',
    Object.fromEntries(Object.entries(OF_REDSHIFT).map(([name, text]) => [`${name}.csv`, text])),
  ],
  ['one below the other, as psql --csv prints them', { 'result.csv': Object.values(OF_REDSHIFT).join('') }],
])('reads results of which some do not state their database: %s', async (_, files) => {
  const folder = folderWith(files)
  const isOne = 'result.csv' in files
  const catalog = await openCatalog(isOne ? join(folder, 'result.csv') : `columns:${folder}`)
  const tables = await catalog.tables({})
  const place = { database: 'raw', schema: 'shop' }
  expect(tables).toEqual([
    {
      ...place,
      name: 'late',
      kind: 'view',
      columns: [
        { name: 'table_schema', type: 'integer' },
        { name: 'table_name', type: 'super' },
      ],
    },
    {
      ...place,
      name: 'orders',
      kind: 'table',
      comment: 'All',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'table_name', type: 'text' },
      ],
      primaryKey: ['id'],
      storage: { sortedBy: ['id'], distributedBy: ['id'] },
    },
  ])
  expect(await catalog.sizes?.(tables)).toEqual([{}, { rows: 12, bytes: 1_048_576 }])
})

test('an answer without rows beside others adds nothing', async () => {
  const rows = [
    { record_kind: 'columns', table_schema: 's', table_name: 't', column_name: 'id', data_type: 'integer' },
  ]
  const folder = folderWith({
    'columns.json': JSON.stringify(rows),
    'keys.json': '[]',
    'checks.json': '{"data":[]}',
  })
  const catalog = await openCatalog(`columns:${folder}`)
  expect(await catalog.tables({})).toMatchObject([{ name: 't', columns: [{ name: 'id' }] }])
})

test('refuses rows without a name or a type, with all faults', async () => {
  const folder = folderWith({
    'result.csv': 'record_kind,table_name,column_name,data_type\ncolumns,a,b,\nkeys,,b,\ntabels,a,,\n',
  })
  await expect(openCatalog(join(folder, 'result.csv'))).rejects.toThrow(
    /4 faults:\n.*result\.csv, row 1, data_type: expected text, got nothing\n.*row 2, table_name.*\n.*row 2, constraint_type.*\n.*row 3: expected a result called tables or columns or keys or checks, got "tabels"/,
  )
})

test.each([
  [{}, 'expected a folder with results as .csv, .tsv, .json, .jsonl, .ndjson, got none'],
  [{ 'a.json': '1' }, 'a.json: expected rows with headers, got something else'],
  [
    { 'a.csv': 'x\n1\n' },
    'a.csv, row 1: expected a result called tables or columns or keys or checks, got "a"',
  ],
])('refuses a folder without results: %j', async (files, message) => {
  await expect(openCatalog(`columns:${folderWith(files)}`)).rejects.toThrow(message)
})
