import { type Config, DIALECT_NAMES, type DialectName, type Table } from '@stagecraft/spec'
import { DIALECTS } from '@stagecraft/dialects'
import { describe, expect, test } from 'vitest'
import { explain, generate } from '../generate.ts'
import { loadSqlCheck } from '../verify/sql-parser.ts'

const FLAT: Config = { options: { flatten: 'one level', columnOrder: 'source' } }

function tableOf(...columns: readonly (readonly [name: string, type: string])[]): Table {
  return { schema: 'shop', name: 'people', columns: columns.map(([name, type]) => ({ name, type })) }
}

function stage(dialect: DialectName, table: Table, config: Config = FLAT) {
  const request = { type: 'staging' as const, source: 'shop.people' }
  const { code, files, warnings } = generate(request, table, { dialect, config })
  const yaml = files
    .filter(({ path }) => path.endsWith('.yml'))
    .map(({ content }) => content)
    .join('\n')
  const lines = /renamed as \(\s+select\n([^]*?)\n\s+from/.exec(code)?.[1] ?? ''
  const selected = lines.split('\n').flatMap((line) => line.trim().replace(/,$/, '') || [])
  return { code, yaml, selected, codes: warnings.map(({ code: one }) => one), warnings }
}

const STRUCTS: Readonly<Partial<Record<DialectName, readonly [type: string, selected: readonly string[]]>>> =
  {
    bigquery: [
      'STRUCT<city STRING, `Zip Code` INT64, geo STRUCT<lat FLOAT64, lng FLOAT64>, tags ARRAY<STRING>>',
      [
        'address.city as address_city',
        'address.`Zip Code` as address_zip_code',
        'address.geo as address_geo',
        'address.tags as address_tags',
      ],
    ],
    databricks: [
      "struct<city:string,`Zip Code`:int NOT NULL COMMENT 'a, b',geo:struct<lat:double,lng:double>,more:map<string,array<int>>>",
      [
        'address.city as address_city',
        'address.`Zip Code` as address_zip_code',
        'address.geo as address_geo',
        'address.more as address_more',
      ],
    ],
    trino: [
      'row(city varchar(20), "zip code" bigint, seen timestamp(3))',
      [
        'address.city as address_city',
        'address."zip code" as address_zip_code',
        'address.seen as address_seen_at',
      ],
    ],
    athena: ['struct<city:string,zip:int>', ['address.city as address_city', 'address.zip as address_zip']],
    duckdb: [
      'STRUCT(city VARCHAR, "Zip Code" INTEGER, tags VARCHAR[])',
      [
        'address.city as address_city',
        'address."Zip Code" as address_zip_code',
        'address.tags as address_tags',
      ],
    ],
    clickhouse: [
      "Tuple(city LowCardinality(Nullable(String)), `it\\'s` Array(Tuple(a Int8)))",
      ["tupleElement(address, 'city') as address_city", "tupleElement(address, 'it''s') as address_it_s"],
    ],
    snowflake: [
      'OBJECT(city VARCHAR, zip NUMBER(5,0) NOT NULL)',
      [
        'cast(address:"city" as VARCHAR) as address_city',
        'cast(address:"zip" as NUMBER(5,0)) as address_zip',
      ],
    ],
  }

describe.each(Object.entries(STRUCTS))('flatten: one level in %s', (name, [type, selected]) => {
  const dialect = DIALECT_NAMES.find((one) => one === name) ?? 'duckdb'
  const stored = dialect === 'snowflake' ? 'ADDRESS' : 'address'

  test('makes a column of each field, with SQL that a parser reads', async () => {
    const { code, codes, selected: found } = stage(dialect, tableOf([stored, type]))
    expect(found).toEqual(selected)
    expect(codes.filter((one) => one === 'STRUCT_NOT_FLATTENED')).toEqual([])
    const check = await loadSqlCheck(DIALECTS[dialect])
    expect(check?.(code.replaceAll(/\{\{[^}]*\}\}/g, 't'))).toBeUndefined()
  })

  test('leaves the struct whole by default', () => {
    expect(stage(dialect, tableOf([stored, type]), {}).selected.join()).toMatch(/^(?:-+ [a-z-]+,)?address$/)
  })
})

test('lists the fields in the models file, and the column in the sources file', () => {
  const { yaml } = stage('bigquery', tableOf(['id', 'INT64'], ['address', 'STRUCT<city STRING>']), {
    options: { ...FLAT.options, addDocs: true, dataTypes: true },
  })
  expect(yaml).toContain('name: address_city')
  expect(yaml).toMatch(/- name: address\n/)
})

const PERSON = tableOf(
  ['id', 'INT64'],
  ['address', 'STRUCT<city STRING, zip INT64>'],
  ['extra', 'STRUCT<a INT64>'],
)

test('can be set for a column, a table or a source, and a field is configured by its path', () => {
  const selected = (columns: object, options: object = {}): readonly string[] =>
    stage('bigquery', PERSON, {
      options: { columnOrder: 'source' },
      sources: { shop: { tables: { people: { options, columns } } } },
    } as Config).selected
  expect(selected({ address: { flatten: 'one level' } })).toEqual([
    'id as person_id',
    'address.city as address_city',
    'address.zip as address_zip',
    'extra',
  ])
  expect(
    selected(
      { extra: { flatten: 'none' }, 'address.city': { name: 'town' }, 'address.zip': { as: 'text' } },
      { flatten: 'one level' },
    ),
  ).toEqual([
    'id as person_id',
    'address.city as town',
    'cast(address.zip as string) as address_zip',
    'extra',
  ])
  expect(
    selected({ 'address.zip': { exclude: true }, extra: { exclude: true } }, { flatten: 'one level' }),
  ).toEqual(['id as person_id', 'address.city as address_city'])
})

test.each([
  ['declared as primary', { primaryKey: ['id', 'address'] }, {}],
  ['declared as unique', { uniqueKeys: [['address']] }, {}],
  ['configured', {}, { key: ['id', 'Address'] }],
])('a struct of a key that is %s stays whole, so the whole key identifies rows', (_, keys, configured) => {
  const { codes, selected, warnings } = stage(
    'bigquery',
    { ...PERSON, ...keys },
    {
      options: { ...FLAT.options, addTests: true },
      sources: { shop: { tables: { people: configured } } },
    },
  )
  expect(selected.some((line) => line.startsWith('address.'))).toBe(false)
  expect(selected).toContain('extra.a as extra_a')
  expect(codes).toContain('STRUCT_NOT_FLATTENED')
  expect(warnings.map(({ message }) => message)).toContain('address stays one column: it is part of a key')
})

test('settings of missing fields are named', () => {
  const config: Config = {
    ...FLAT,
    sources: { shop: { tables: { people: { columns: { 'address.town': { name: 'x' } } } } } },
  }
  const { warnings } = stage('bigquery', PERSON, config)
  expect(warnings.map(({ message }) => message).join()).toContain('address.town')
})

test.each<readonly [DialectName, Table]>([
  ['bigquery', tableOf(['source', 'STRUCT<city STRING>'])],
  ['bigquery', tableOf(['address', 'STRUCT<STRING, INT64>'])],
  ['trino', tableOf(['address', 'row(varchar, timestamp(3) with time zone)'])],
  ['clickhouse', tableOf(['address', 'Tuple(String, UInt8)'])],
  ['clickhouse', tableOf(['address', 'Tuple(a String, A UInt8)'])],
  ['duckdb', tableOf(['a', 'STRUCT(b INTEGER)'], ['a.b', 'INTEGER'])],
])('a struct whose fields cannot be columns stays whole, with a warning: %s', (dialect, table) => {
  const { codes, selected } = stage(dialect, table)
  expect(codes).toContain('STRUCT_NOT_FLATTENED')
  expect(selected).toHaveLength(table.columns.length)
})

test.each<readonly [DialectName, string]>([
  ['bigquery', 'ARRAY<STRUCT<a INT64>>'],
  ['databricks', 'map<string,struct<a:int>>'],
  ['duckdb', 'STRUCT(a INTEGER)[]'],
  ['snowflake', 'VARIANT'],
  ['snowflake', 'OBJECT'],
  ['redshift', 'super'],
])('arrays, maps and values without a schema stay as they are: %s %s', (dialect, type) => {
  const { codes, selected } = stage(dialect, tableOf([dialect === 'snowflake' ? 'A' : 'a', type]))
  expect(selected).toEqual(['a'])
  expect(codes).not.toContain('STRUCT_NOT_FLATTENED')
})

test('a field is not a key of the table, and a snapshot keeps the struct', () => {
  const table = tableOf(['customer', 'STRUCT<id INT64>'], ['person', 'STRUCT<id INT64>'])
  const request = { type: 'staging' as const, source: 'shop.people', options: { addTests: true } }
  const { schema } = generate(request, table, { dialect: 'bigquery', config: FLAT })
  expect(schema).not.toContain('unique')
  const snapshot = generate({ ...request, type: 'snapshot' }, PERSON, { dialect: 'bigquery', config: FLAT })
  expect(snapshot.code).not.toContain('address.city')
})

test('explain names the option', () => {
  const request = { type: 'staging' as const, source: 'shop.people' }
  const { columns } = explain(request, PERSON, { dialect: 'bigquery', config: FLAT })
  const value = columns
    .find(({ column }) => column === 'address.city')
    ?.decisions.find(({ about }) => about === 'value')
  expect(value?.value).toBe('address.city')
  expect(value?.reasons.map(({ rule }) => rule)).toEqual(['value.asIs', 'value.flatten'])
  expect(value?.keys).toContain('options.flatten')
})
