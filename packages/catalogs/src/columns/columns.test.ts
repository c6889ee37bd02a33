import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Catalog, DialectName, Fault } from '@stagecraft/spec'
import { afterAll, describe, expect, test } from 'vitest'
import { catalogSuite } from '../../../../test/suites/catalog.ts'
import { HEADER_NAMES } from './csv-rows.ts'
import { columns } from './index.ts'
import { readDocument } from './read-document.ts'

const folder = mkdtempSync(join(tmpdir(), 'stagecraft-columns-'))
afterAll(() => rmSync(folder, { recursive: true }))

function open(name: string, text: string, dialect?: DialectName): Promise<Catalog> {
  const path = join(folder, name)
  writeFileSync(path, text)
  return columns({ path, dialect })
}

async function faultsOf(name: string, text: string): Promise<readonly Fault[]> {
  const error: unknown = await open(name, text).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'INVALID_REQUEST' })
  return (error as { readonly details: { readonly faults: readonly Fault[] } }).details.faults
}

for (const ending of ['yml', 'json']) {
  const path = new URL(`../../fixtures/shop/columns.${ending}`, import.meta.url).pathname
  catalogSuite(`columns.${ending}`, () => columns({ path }), { places: { database: 'raw' } })
}

catalogSuite(
  'columns.csv',
  () => columns({ path: new URL('../../fixtures/shop/columns.csv', import.meta.url).pathname }),
  {
    places: { database: 'raw' },
    gaps: [
      {
        reason: 'information_schema.columns says nothing of it',
        tests: [
          'reads unique keys',
          'reads a foreign key',
          'reads a composite foreign key in key order',
          'reads a foreign key into another schema',
          'reads the values of a text',
          'reads the values of a number',
          'reads the comment of a table',
          'tells views from tables',
        ],
      },
      {
        reason: 'the key is in the order of its columns',
        tests: ['reads a composite primary key in key order'],
      },
    ],
  },
)

describe('docs/reference/columns-file.md', () => {
  const text = readFileSync(new URL('../../../../docs/reference/columns-file.md', import.meta.url), 'utf8')
  const example = (format: string): string =>
    new RegExp(`\`\`\`${format}\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? ''

  test('has a YAML example with the described meaning', async () => {
    const catalog = await open('example.yml', example('yaml'))
    expect(catalog.dialect).toBe('snowflake')
    expect(await catalog.tables({})).toEqual([
      {
        database: 'RAW',
        schema: 'STRIPE',
        name: 'CUSTOMERS',
        kind: 'view',
        columns: [
          { name: 'ID', type: 'VARCHAR' },
          { name: 'EMAIL', type: 'VARCHAR' },
        ],
        uniqueKeys: [['EMAIL']],
      },
      {
        database: 'RAW',
        schema: 'STRIPE',
        name: 'PAYMENTS',
        comment: 'One row per payment',
        columns: [
          { name: 'ID', type: 'NUMBER(38,0)', nullable: false },
          { name: 'CUSTOMER_ID', type: 'VARCHAR', comment: 'Who pays' },
          { name: 'STATUS', type: 'VARCHAR', values: ['open', 'paid', 'failed'] },
          { name: 'CREATED', type: 'TIMESTAMP_NTZ', default: 'current_timestamp()' },
        ],
        primaryKey: ['ID'],
        foreignKeys: [
          { columns: ['CUSTOMER_ID'], references: { table: { name: 'CUSTOMERS' }, columns: ['ID'] } },
        ],
      },
    ])
  })

  test('has a JSON example with the described meaning', async () => {
    const catalog = await open('example.json', example('json'))
    expect(catalog.dialect).toBeUndefined()
    expect(await catalog.tables({})).toEqual([
      {
        schema: 'shop',
        name: 'orders',
        columns: [
          { name: 'id', type: 'bigint', nullable: false },
          { name: 'placed_at', type: 'timestamp with time zone' },
        ],
        primaryKey: ['id'],
      },
    ])
  })

  test('has a CSV example with the described meaning', async () => {
    const catalog = await open('example.csv', example('csv'), 'redshift')
    expect(catalog.dialect).toBe('redshift')
    expect(await catalog.tables({})).toEqual([
      {
        schema: 'shop',
        name: 'customers',
        columns: [{ name: 'id', type: 'bigint', nullable: false }],
        primaryKey: ['id'],
      },
      {
        schema: 'shop',
        name: 'orders',
        columns: [
          { name: 'id', type: 'bigint', nullable: false },
          { name: 'total', type: 'numeric(12,2)' },
        ],
        primaryKey: ['id'],
      },
    ])
  })

  test('names every key and header', async () => {
    const [tableFault] = await faultsOf('keys.yml', '[{ name: a, columns: [], nothing: 1 }]')
    const [columnFault] = await faultsOf(
      'keys.yml',
      '[{ name: a, columns: [{ name: b, type: c, nothing: 1 }] }]',
    )
    const named = [tableFault, columnFault].flatMap((fault) => fault?.expected.match(/\w+/g)?.slice(2) ?? [])
    const known = [...named, ...HEADER_NAMES]
    expect(known.length).toBeGreaterThan(20)
    expect(known.filter((key) => !['keys', 'the'].includes(key) && !text.includes(`\`${key}\``))).toEqual([])
  })
})

describe('a faulty document', () => {
  test('is refused with every fault, by path and line', async () => {
    const faults = await faultsOf(
      'faulty.yml',
      `dialect: oracle
tables:
  - name: orders
    columns:
      - name: id
        typ: int
      - { name: state, type: text, values: [] }
      - { name: id, type: 3 }
    kind: tabel
  - columns: none
more: 1
`,
    )
    expect(faults).toEqual([
      { path: 'more', expected: 'one of the keys dialect, tables', received: 'the key "more"', line: 11 },
      {
        path: 'dialect',
        expected: expect.stringContaining('snowflake or') as string,
        received: '"oracle"',
        line: 1,
      },
      { path: 'tables.0.kind', expected: '"table" or "view" or "external"', received: '"tabel"', line: 9 },
      { path: 'tables.0.columns.0.type', expected: 'text', received: 'nothing', line: 5 },
      {
        path: 'tables.0.columns.0.typ',
        expected: 'one of the keys name, type, nullable, comment, default, values, hidden',
        received: 'the key "typ"',
        line: 6,
      },
      {
        path: 'tables.0.columns.1.values',
        expected: 'a list that is not empty',
        received: 'an empty list',
        line: 7,
      },
      { path: 'tables.0.columns.2.type', expected: 'text', received: '3', line: 8 },
      { path: 'tables.1.columns', expected: 'a list', received: '"none"', line: 10 },
    ])
  })

  test.each([
    ['broken.yml', 'tables:\n  - name: "a\n', 'valid YAML or JSON', 3],
    ['broken.json', '[\n  { "name": "a" ]\n', 'valid YAML or JSON', 2],
    ['repeated.yml', 'tables: []\ntables: []\n', 'valid YAML or JSON', 2],
    ['text.yml', 'just a text\n', 'a list of tables, or an object with the key tables', 1],
    ['unnamed.json', '[\n  { "columns": [] }\n]', 'text', 2],
    [
      'twice.json',
      '[{ "name": "a", "columns": [] },\n{ "name": "a", "columns": [] }]',
      'one table a of that schema',
      2,
    ],
    ['column.yml', '- name: a\n  columns: [{ name: b, type: c }, { name: b, type: c }]', 'one column b', 2],
    ['key.yml', '- name: a\n  columns: [{ name: b, type: c }]\n  primaryKey: [x]', 'one of the columns b', 3],
    ['unique.yml', '- name: a\n  columns: []\n  uniqueKeys: [[x]]', 'one of the columns ', 3],
    [
      'foreign.yml',
      `- name: a\n  columns: []\n  foreignKeys: [{ columns: [x], references: { table: { name: b }, columns: [y] } }]`,
      'one of the columns ',
      3,
    ],
  ])('reports the fault in %s', async (name, text, expected, line) => {
    expect(await faultsOf(name, text)).toMatchObject([{ expected, line }])
  })

  test('has its faults in the message too', async () => {
    await expect(open('one.yml', 'tables: 1')).rejects.toThrow(
      `${join(folder, 'one.yml')} is not valid: tables, line 1: expected a list, got 1`,
    )
    await expect(open('two.yml', 'tables: 1\ndialect: x')).rejects.toThrow(
      'two.yml has 2 faults:\n  dialect, line 2',
    )
  })
})

describe('a CSV file', () => {
  test('may have semicolons or tabs, headers in any case and order, quotes and a byte order mark', async () => {
    const catalog = await open(
      'semicolons.csv',
      '\ufeffData_Type;COLUMN_NAME;"table_name";TABLE_SCHEMA;comment\r\nnumeric(10,2);"the ""total""";orders;shop;"two\nlines"\r\n\r\n',
    )
    expect(await catalog.tables({})).toEqual([
      {
        schema: 'shop',
        name: 'orders',
        columns: [{ name: 'the "total"', type: 'numeric(10,2)', comment: 'two\nlines' }],
      },
    ])
    const tabs = await open(
      'tabs.csv',
      'table_schema\ttable_name\tcolumn_name\tdata_type\na\tb\tc\tnumeric(1,2)\n',
    )
    expect(await tabs.tables({})).toHaveLength(1)
  })

  test('is read by position, null in its spellings', async () => {
    const catalog = await open(
      'positions.csv',
      `table_schema,table_name,ordinal_position,column_name,data_type,column_default,is_nullable
,a,10,ten,int,NULL,
,b,1,other,int,\\N,no
,a,9,nine,int,nine(),TRUE
`,
    )
    expect(await catalog.tables({})).toEqual([
      {
        name: 'a',
        columns: [
          { name: 'nine', type: 'int', default: 'nine()' },
          { name: 'ten', type: 'int' },
        ],
      },
      { name: 'b', columns: [{ name: 'other', type: 'int', nullable: false }] },
    ])
  })

  test('may have short headers, and no schema', async () => {
    const catalog = await open('short.csv', 'table,name,type,nullable,description\na,b,int,no,The b\n')
    expect(await catalog.tables({})).toEqual([
      { name: 'a', columns: [{ name: 'b', type: 'int', nullable: false, comment: 'The b' }] },
    ])
  })

  test('may be all of information_schema.columns', async () => {
    const catalog = await open(
      'whole.csv',
      `TABLE_NAME,COLUMN_NAME,DATA_TYPE,FULL_DATA_TYPE,CHARACTER_MAXIMUM_LENGTH,NUMERIC_PRECISION,NUMERIC_SCALE,IS_IDENTITY
a,id,NUMBER,,,38,0,NO
a,price,DECIMAL,"decimal(12,2)",,12,2,NO
a,name,TEXT,,16777216,,,NO
`,
    )
    const [table] = await catalog.tables({})
    expect(table?.columns.map(({ type }) => type)).toEqual(['NUMBER(38,0)', 'decimal(12,2)', 'TEXT'])
  })

  test('and a JSON file with thousands of tables are read in one pass', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `t${index}`)
    const columns = [{ name: 'id', type: 'int' }]
    const json = JSON.stringify(names.map((name) => ({ name, columns })))
    const csv = ['table,column,type', ...names.map((name) => `${name},id,int`)].join('\n')
    expect(await (await open('many.json', json)).tables({})).toHaveLength(3000)
    expect(await (await open('many.csv', csv)).tables({})).toHaveLength(3000)
  })

  test.each([
    [
      '',
      [
        ['table_name or table', 'no such header'],
        ['column_name or column or name', 'no such header'],
        ['data_type or type', 'no such header'],
      ],
    ],
    [
      'tabel_name,col_name,data_type,colour',
      [
        ['table_name or table', 'no such header, but "tabel_name"'],
        ['column_name or column or name', 'no such header, but "tabel_name", "col_name"'],
      ],
    ],
    ['table,column,type,TABLE_NAME', [['one header table_name', 'a second one']]],
  ])('with wrong headers is refused: %j', async (header, expected) => {
    const faults = await faultsOf('headers.csv', `${header}\n`)
    expect(faults.map((fault) => [fault.expected, fault.received])).toEqual(expected)
  })

  // what exports had beside the headers that count, on the days when somebody looked
  test.each([
    ['Databricks', 'partition_ordinal_position,mask_name,is_metadata_column'],
    [
      'BigQuery',
      'is_system_time_period_start,is_system_time_period_end,data_policies,async_generation_status',
    ],
    ['Snowflake', 'join_key_kind,expression_of_tag'],
    ['Redshift', 'remarks_of_owner,is_sortkey'],
    ['Trino', 'extra_info,column_properties'],
  ])('of %s has unknown headers, which one warning names', async (_, headers) => {
    const cells = headers.replaceAll(/[^,]+/g, 'x')
    const catalog = await open(
      'vendor.csv',
      `table_schema,table_name,column_name,data_type,${headers},,identity_start\nshop,orders,id,int,${cells},,1\n`,
    )
    expect(await catalog.tables({})).toEqual([
      { schema: 'shop', name: 'orders', columns: [{ name: 'id', type: 'int' }] },
    ])
    const message = `${join(folder, 'vendor.csv')}: unknown headers were ignored: ${headers.replaceAll(',', ', ')}`
    expect(catalog.warnings).toEqual([{ code: 'CATALOG_PARTLY_READ', message }])
  })

  test('with a misspelled optional header suggests the right one', async () => {
    const catalog = await open('slip.csv', 'table,column,type,is_nulable\na,b,int,NO\n')
    expect(catalog.warnings?.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ignored: is_nulable \(did you mean is_nullable\?\)$/),
    ])
  })

  test('may have spaces in its headers', async () => {
    const catalog = await open('blanks.csv', 'Table Name,Column Name,Data-Type\na,b,int\n')
    expect(await catalog.tables({})).toEqual([{ name: 'a', columns: [{ name: 'b', type: 'int' }] }])
    expect(catalog.warnings).toEqual([])
  })

  test('with faulty rows is refused, by line', async () => {
    const faults = await faultsOf(
      'rows.csv',
      `table_schema,table_name,column_name,data_type,is_nullable,ordinal_position
shop,orders,id,,perhaps,first
shop,,x,int,YES,2
`,
    )
    expect(faults).toEqual([
      { path: 'data_type', expected: 'text', received: 'nothing', line: 2 },
      { path: 'is_nullable', expected: 'YES, NO, true or false', received: '"perhaps"', line: 2 },
      { path: 'ordinal_position', expected: 'a whole number', received: '"first"', line: 2 },
      { path: 'table_name', expected: 'text', received: 'nothing', line: 3 },
    ])
  })

  test('with unbalanced quotes is refused, by line', async () => {
    const header = 'table_schema,table_name,column_name,data_type\n'
    expect(await faultsOf('cells.csv', `${header}a,b,c,numeric(1,2)\n`)).toEqual([
      { path: '', expected: '4 cells', received: '5', line: 2 },
    ])
    expect(await faultsOf('quote.csv', `${header}a,b,"c,d\n`)).toMatchObject([
      { expected: 'valid CSV', line: 2 },
    ])
  })
})

test('names the supported endings', async () => {
  await expect(columns({ path: 'columns.txt' })).rejects.toThrow(
    'catalog: expected a file that ends in .yml, .yaml, .json, .csv, .tsv, got columns.txt',
  )
})

test('names a missing file', async () => {
  await expect(columns({ path: 'no/such/columns.yml' })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    details: { path: 'no/such/columns.yml', reason: 'no such file or folder' },
  })
})

test('prefers the requested dialect to that of the file', async () => {
  expect((await open('dialect.yml', 'dialect: snowflake\ntables: []', 'bigquery')).dialect).toBe('bigquery')
})

test.each([
  [
    'aliases that expand',
    Array.from(
      { length: 9 },
      (_, level) => `a${level}: &a${level} [${level === 0 ? 'x' : `*a${level - 1},`.repeat(9)}]`,
    ).join('\n'),
  ],
  ['lists or maps that are nested too deeply', `a: ${'['.repeat(20_000)}`],
])('refuses with one clear fault: %s', (received, text) => {
  const read = readDocument(text)
  expect('faults' in read && read.faults).toEqual([
    expect.objectContaining({ received: expect.stringContaining(received) as string }),
  ])
})

test('hidden columns of an export are left out', async () => {
  const text = `table_schema,table_name,column_name,ordinal_position,data_type,is_hidden
d,t,id,1,INT64,NO
d,t,_PARTITIONTIME,,TIMESTAMP,YES
`
  const tables = await (await open('hidden.csv', text, 'bigquery')).tables({})
  expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['id'])
})
