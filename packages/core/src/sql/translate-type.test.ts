import { DIALECTS } from '@stagecraft/dialects'
import { DIALECT_NAMES } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../generate.ts'
import { parseType } from './parse-type.ts'
import { translateTable } from './translate-type.ts'

const { bigquery, clickhouse, duckdb, mysql, postgres, redshift, snowflake, sqlite, sqlserver, trino } =
  DIALECTS

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

test('every type of every dialect has a known one in every other', () => {
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

test('knows types of another dialect, and says so without a warning', () => {
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
