import { DIALECTS } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { parseType } from './parse-type.ts'

const { bigquery, clickhouse, databricks, duckdb, mysql, postgres, snowflake, sqlite, sqlserver, trino } =
  DIALECTS

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

test('passes an unknown type through as other', () => {
  expect(parseType('public.mood', postgres)).toMatchObject({
    family: 'other',
    known: false,
    text: 'public.mood',
  })
})
