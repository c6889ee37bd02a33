import { expect, test } from 'vitest'
import { areKin, detectDialect } from './choose-script-dialect.ts'

const BUCKETS = "bucketed_by = array['id'], bucket_count = 4"

test.each([
  [
    `create table a with (format = 'ORC', write_compression = 'ZSTD', ${BUCKETS}) as select 1 as id`,
    'athena',
  ],
  [
    `create table a with (table_type = 'ICEBERG', is_external = false, location = 's3://b/a/') as select 1 as id`,
    'athena',
  ],
  ["create table a (id bigint) with (partitioning = array['day(at)'], sorted_by = array['id'])", 'trino'],
  [`create table a (id bigint) with (format = 'ORC', ${BUCKETS})`, 'trino'],
  ['create table a (b text, c bytea); create index d on a using btree (b);', 'postgres'],
  ['create table a (b int, c serial); create index d using btree on a (b);', undefined],
  ["create external table a (id bigint) row format delimited fields terminated by ','", 'athena'],
])('recognizes the dialect of %s', (sql, dialect) => {
  expect(detectDialect([sql])?.dialect).toBe(dialect)
})

test('reads what Athena and Trino share in the dialect of the warehouse', () => {
  expect(areKin('athena', 'trino')).toBe(true)
  expect(areKin('trino', 'athena')).toBe(true)
  expect(areKin('trino', 'databricks')).toBe(false)
})
