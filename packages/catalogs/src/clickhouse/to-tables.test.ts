import { expect, test } from 'vitest'
import { toTables } from './index.ts'

const at = { table_schema: 'raw', table_name: 't' }

const columnOf = (type: string, more: object = {}) =>
  toTables({ columns: [{ ...at, column_name: 'c', data_type: type, ...more }] }).columns[0]

test.each([
  ['String', false],
  ['Nullable(String)', true],
  ['LowCardinality(String)', false],
  ['LowCardinality(Nullable(String))', true],
  ['Array(Nullable(String))', false],
  ['Tuple(a Nullable(Int8))', false],
  ['Nullable(Tuple(a Int8))', true],
  ['Variant(String, UInt8)', true],
  ['Dynamic', true],
  ['Dynamic(max_types=2)', true],
  ['JSON', false],
  ['SimpleAggregateFunction(anyLast, Nullable(String))', true],
  ['SimpleAggregateFunction(sum, UInt64)', false],
  ['AggregateFunction(uniq, Nullable(String))', false],
])('%s is nullable: %s', (type, nullable) => {
  expect(columnOf(type)).toMatchObject({ type, nullable })
})

test.each([
  [
    { column_default: "'x'", is_hidden: '0' },
    { default: "'x'", hidden: false },
  ],
  [
    { column_default: null, is_hidden: 1 },
    { default: null, hidden: true },
  ],
])('converts the row %j', (row, expected) => {
  expect(columnOf('String', row)).toMatchObject(expected)
})

test.each([
  ['MergeTree', 'table'],
  ['SharedReplacingMergeTree', 'table'],
  ['Distributed', 'table'],
  ['Dictionary', 'table'],
  ['View', 'view'],
  ['MaterializedView', 'view'],
  ['S3', 'external'],
  ['IcebergS3', 'external'],
  ['Kafka', 'external'],
  ['PostgreSQL', 'external'],
])('reads the engine %s as a %s', (engine, kind) => {
  expect(toTables({ tables: [{ ...at, table_type: engine }] }).tables).toMatchObject([{ kind }])
})

const definition = (check: string): string =>
  `CREATE TABLE raw.t (\`c\` String, CONSTRAINT k CHECK ${check}) ENGINE = MergeTree`

test.each([
  ["c IN ('a', 'b\\'c')", ['a', "b'c"]],
  ["(c = 'a') OR (c = 'b')", ['a', 'b']],
  ["(c = 'a') OR (length(c) > 3)", undefined],
  ['length(c) > 3', undefined],
  ["c IN ('a'", undefined],
])('reads the values of the constraint %s: %j', (check, values) => {
  const { columns } = toTables({
    tables: [{ ...at, table_type: 'MergeTree', definition: definition(check) }],
    columns: [{ ...at, column_name: 'c', data_type: 'String' }],
  })
  expect(columns[0]?.values).toEqual(values)
})

test('reads labels of an enum as values, and changes of a table from its parts', () => {
  expect(columnOf(String.raw`Nullable(Enum8('a' = 1, 'b\'c' = 2))`)?.values).toEqual(['a', "b'c"])
  const { sizes } = toTables({
    tables: [{ ...at, row_count: '18446744073709551615', byte_count: '12' }],
    parts: [{ ...at, last_changed: '77', changed_at: '2026-01-31 22:53:20Z' }],
  })
  expect(sizes).toEqual([
    {
      schema: 'raw',
      table: 't',
      rows: '18446744073709551615',
      bytes: '12',
      version: '77',
      changedAt: '2026-01-31 22:53:20Z',
    },
  ])
})

test('skips tables without columns, unless columns were not requested', () => {
  const tables = [{ ...at }, { ...at, table_name: 'with_parameters', table_type: 'View' }]
  const columns = [{ ...at, column_name: 'c', data_type: 'String' }]
  expect(toTables({ tables, columns }).tables.map(({ table }) => table)).toEqual(['t'])
  expect(toTables({ tables }).tables).toHaveLength(2)
})
