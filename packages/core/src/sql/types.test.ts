import { DIALECTS } from '@stagecraft/dialects'
import { DIALECT_NAMES } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../generate.ts'
import { isFlag, parseType, translateTable } from './types.ts'

const {
  bigquery,
  clickhouse,
  databricks,
  duckdb,
  mysql,
  postgres,
  redshift,
  snowflake,
  sqlite,
  sqlserver,
  trino,
} = DIALECTS

test.each([
  ['character varying(255)', postgres, 'string'],
  ['timestamp(3) with time zone', postgres, 'timestamp_tz'],
  ['timestamp without time zone', postgres, 'timestamp_ntz'],
  ['integer[]', postgres, 'array'],
  ['_int4', postgres, 'array'],
  ['"char"', postgres, 'string'],
  ['integer array', postgres, 'array'],
  ['interval day', postgres, 'interval'],
  ['interval hour to second(3)', postgres, 'interval'],
  ['NUMBER(38,0)', snowflake, 'integer'],
  ['NUMBER(18,2)', snowflake, 'decimal'],
  ['TIMESTAMP_LTZ(9)', snowflake, 'timestamp_tz'],
  ['TIMESTAMP', bigquery, 'timestamp_tz'],
  ['DATETIME', bigquery, 'timestamp_ntz'],
  ['ARRAY<STRUCT<a INT64>>', bigquery, 'array'],
  ['struct<a:int,b:array<string>>', databricks, 'struct'],
  ['STRUCT(a INTEGER, b VARCHAR)', duckdb, 'struct'],
  ["ENUM('a', 'B')", duckdb, 'string'],
  ['DECIMAL(18,3)', duckdb, 'decimal'],
  ['INTEGER[3]', duckdb, 'array'],
  ['tinyint(1)', mysql, 'integer'],
  ['bool', mysql, 'boolean'],
  ['tinyint(4)', mysql, 'integer'],
  ['bigint(20) unsigned', mysql, 'integer'],
  ["enum('x','y') COLLATE utf8mb4_bin", mysql, 'string'],
  ['timestamp', sqlserver, 'binary'],
  ['bit', sqlserver, 'boolean'],
  ['timestamp(6) with time zone', trino, 'timestamp_tz'],
  ['LowCardinality(Nullable(String))', clickhouse, 'string'],
  ["DateTime64(3, 'UTC')", clickhouse, 'timestamp_tz'],
  ['UNSIGNED BIG INT', sqlite, 'integer'],
  ['VARYING CHARACTER(255)', sqlite, 'string'],
  ['my_weird_int', sqlite, 'integer'],
])('%s is of family %s', (raw, dialect, family) => {
  expect(parseType(raw, dialect)).toMatchObject({ family, known: true })
})

test('keeps precision and scale', () => {
  expect(parseType('numeric(18, 2)', postgres).arguments).toEqual([18, 2])
})

test('lower-cases a type, but not the labels inside it', () => {
  expect(parseType("ENUM('Open', 'CLOSED')", duckdb).text).toBe("enum('Open', 'CLOSED')")
  expect(parseType('Nullable(String)', clickhouse).text).toBe('Nullable(String)')
})

test('a type in a thousand wrappers is read as unknown', () => {
  expect(parseType(`${'Nullable('.repeat(50_000)}Int8${')'.repeat(50_000)}`, clickhouse).known).toBe(false)
})

test('passes an unknown type through as other', () => {
  expect(parseType('public.mood', postgres)).toMatchObject({
    family: 'other',
    known: false,
    text: 'public.mood',
  })
})

test.each(['is_active', 'active', 'email_verified', 'deleted', 'has_children', 'vip_flag', 'isOpen'])(
  'tinyint(1) is a boolean in %s',
  (name) => {
    expect(isFlag({ name, type: 'tinyint(1)' }, mysql)).toBe(true)
  },
)

test.each(['rating', 'status', 'level', 'speed', 'feed', 'need', 'bed', 'is', 'type', 'x'])(
  'tinyint(1) is a number in %s',
  (name) => {
    expect(isFlag({ name, type: 'tinyint(1)' }, mysql)).toBe(false)
  },
)

test('a list of values takes precedence over the name', () => {
  expect(isFlag({ name: 'level', type: 'TINYINT(1)', values: [0, 1] }, mysql)).toBe(true)
  expect(isFlag({ name: 'is_open', type: 'tinyint(1)', values: [0, 1, 2] }, mysql)).toBe(false)
})

test('other types are never flags, whatever the name', () => {
  expect(isFlag({ name: 'is_open', type: 'tinyint(4)' }, mysql)).toBe(false)
  expect(isFlag({ name: 'is_open', type: 'smallint' }, postgres)).toBe(false)
})

test.each([
  ['character varying(255)', postgres, snowflake, 'varchar(255)'],
  ['timestamp without time zone', postgres, snowflake, 'timestamp_ntz'],
  ['timestamp(3) with time zone', postgres, snowflake, 'timestamp_tz'],
  ['double precision', postgres, snowflake, 'float'],
  ['bytea', postgres, snowflake, 'binary'],
  ['jsonb', postgres, snowflake, 'variant'],
  ['uuid', postgres, bigquery, 'string'],
  ['text[]', postgres, bigquery, 'json'],
  ['money', postgres, snowflake, 'numeric(19, 2)'],
  ['int8', postgres, clickhouse, 'Nullable(Int64)'],
  ['numeric(10,2)', postgres, clickhouse, 'Nullable(Decimal(10, 2))'],
  ['datetime2', sqlserver, snowflake, 'timestamp_ntz'],
  ['nvarchar(max)', sqlserver, snowflake, 'varchar'],
  ['datetimeoffset(7)', sqlserver, postgres, 'timestamptz'],
  ['tinyint', sqlserver, mysql, 'bigint'],
  ['bit', sqlserver, postgres, 'boolean'],
  ['rowversion', sqlserver, postgres, 'bytea'],
  ['int unsigned', mysql, snowflake, 'number(38, 0)'],
  ['bigint(20) unsigned', mysql, postgres, 'numeric(38, 0)'],
  ['tinyint(1)', mysql, postgres, 'bigint'],
  ['datetime', mysql, bigquery, 'datetime'],
  ["enum('a','b')", mysql, duckdb, 'varchar'],
  ['NUMBER(38,0)', snowflake, postgres, 'bigint'],
  ['VARIANT', snowflake, sqlite, 'json'],
  ['Nullable(DateTime64(3))', clickhouse, snowflake, 'timestamp_tz'],
  ['my_own_type', postgres, snowflake, 'my_own_type'],
  ['varchar(40)', postgres, duckdb, 'varchar(40)'],
  ['VARCHAR', duckdb, mysql, 'text'],
  ['BLOB', duckdb, mysql, 'blob'],
  ['bytea', postgres, mysql, 'longblob'],
  ['uniqueidentifier', sqlserver, mysql, 'char(36)'],
  ['VARCHAR', duckdb, sqlserver, 'nvarchar(4000)'],
  ['varbinary', trino, sqlserver, 'varbinary(max)'],
  ['text', postgres, redshift, 'varchar(65535)'],
  ['char(3)', postgres, redshift, 'char(3)'],
])('%s', (type, from, to, expected) => {
  const table = translateTable({ columns: [{ name: 'x', type }] }, from, to)
  expect(table).toEqual({ columns: [{ name: 'x', type: expected }] })
})

test('every type of every dialect has a known equivalent in every other', () => {
  const lost = Object.values(DIALECTS).flatMap((from) =>
    Object.values(from.types.families)
      .flat()
      .flatMap((type) => Object.values(DIALECTS).map((to) => ({ from, to, type })))
      .filter(({ to, type }) => {
        const [column] = translateTable({ columns: [{ name: 'x', type }] }, from, to).columns
        return !parseType(column?.type ?? '', to).known
      })
      .map(({ to, type }) => `${from.name} ${type} in ${to.name}`),
  )
  expect(lost).toEqual([])
})

test('knows types of another dialect, without a warning', () => {
  const table = {
    dialect: 'postgres',
    columns: [
      { name: 'Label', type: 'character varying(20)' },
      { name: 'created', type: 'timestamp with time zone' },
      { name: 'active', type: 'boolean' },
    ],
  } as const
  const request = { type: 'staging', source: 'shop.orders' } as const
  for (const dialect of DIALECT_NAMES) {
    const { code, warnings } = generate(request, table, { dialect })
    expect(warnings, dialect).toEqual([])
    for (const name of ['label', 'created_at', 'is_active'])
      expect(code, dialect).toMatch(new RegExp(`\\b${name}\\b`))
  }
})
