import type { DialectName, TableStorage } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

const CASES: readonly (readonly [DialectName, string, TableStorage | undefined])[] = [
  [
    'bigquery',
    'create table s.t (id int64, Day date) partition by DATE_TRUNC(day, month) cluster by id, `Day` options(description="x")',
    { partitionedBy: ['DATE_TRUNC(day, month)'], clusteredBy: ['id', 'Day'] },
  ],
  [
    'bigquery',
    'create table s.t (id int64, day date) partition by day as select 1 as id, current_date as day',
    { partitionedBy: ['day'] },
  ],
  [
    'bigquery',
    'create external table s.t (id int64) with partition columns (dt date) options(format="CSV")',
    { partitionedBy: ['dt'] },
  ],
  ['snowflake', 'create table T cluster by (CREATED)(ID number, CREATED date)', { clusteredBy: ['CREATED'] }],
  [
    'snowflake',
    'create table T cluster by linear(CREATED)(ID number, CREATED date)',
    { clusteredBy: ['CREATED'] },
  ],
  [
    'snowflake',
    'create table T (ID number, CREATED date) cluster by linear(to_date(created), id) comment = $$x$$',
    { clusteredBy: ['to_date(created)', 'ID'] },
  ],
  [
    'databricks',
    'create table s.t (id int, day date) using delta partitioned by (day) comment "x"',
    { partitionedBy: ['day'] },
  ],
  ['databricks', 'create table s.t (id int, day date) using delta cluster by auto', undefined],
  [
    'databricks',
    'create table s.t (id int, day date) clustered by (id) sorted by (day desc) into 8 buckets',
    { clusteredBy: ['id'], sortedBy: ['day'] },
  ],
  [
    'redshift',
    'create table s.t (id int distkey, at timestamp sortkey)',
    { sortedBy: ['at'], distributedBy: ['id'] },
  ],
  [
    'redshift',
    'create table s.t (id int, at timestamp) diststyle key distkey (id) interleaved sortkey (at, id)',
    { sortedBy: ['at', 'id'], distributedBy: ['id'] },
  ],
  ['redshift', 'create table s.t (id int, at timestamp) diststyle auto sortkey auto', undefined],
  [
    'clickhouse',
    'create table s.t (id UInt64, at DateTime) engine = MergeTree partition by toYYYYMM(at) order by (id, at) settings x = 1',
    { partitionedBy: ['toYYYYMM(at)'], sortedBy: ['id', 'at'] },
  ],
  ['clickhouse', 'create table s.t (id UInt64) engine = MergeTree() order by tuple()', undefined],
  [
    'clickhouse',
    'create table s.t (id UInt64, at DateTime) engine = MergeTree order by id primary key id ttl at + interval 1 day',
    { sortedBy: ['id'] },
  ],
  [
    'clickhouse',
    'create table s.t (id UInt64, at DateTime) engine = MergeTree partition by intDiv(id, 10) % 7 order by -id',
    { partitionedBy: ['intDiv(id, 10) % 7'], sortedBy: ['-id'] },
  ],
  [
    'trino',
    "create table s.t (id bigint, dt date) comment 'x' with (format = 'ORC', partitioned_by = ARRAY['dt'], bucketed_by = ARRAY['id'], bucket_count = 4)",
    { partitionedBy: ['dt'], clusteredBy: ['id'] },
  ],
  [
    'trino',
    "create table s.t (id bigint, at timestamp) with (partitioning = ARRAY['day(at)'], sorted_by = ARRAY['id'])",
    { partitionedBy: ['day(at)'], sortedBy: ['id'] },
  ],
  [
    'athena',
    "create external table s.t (id bigint) partitioned by (dt string comment 'x', region string) stored as parquet",
    { partitionedBy: ['dt', 'region'] },
  ],
  [
    'athena',
    "create table s.t (id bigint, at timestamp) partitioned by (day(at), id) tblproperties ('table_type'='ICEBERG')",
    { partitionedBy: ['day(at)', 'id'] },
  ],
  ['postgres', 'create table s.t (id int, at date) partition by range (at)', { partitionedBy: ['at'] }],
  [
    'mysql',
    'create table t (id int, at date) engine=InnoDB partition by range columns(at) (partition p0 values less than (5))',
    { partitionedBy: ['at'] },
  ],
  [
    'mysql',
    'create table t (id int, at date) partition by hash (year(at)) partitions 4',
    { partitionedBy: ['year(at)'] },
  ],
  ['postgres', 'create table s.t (id int) with (fillfactor = 70)', undefined],
  [
    'postgres',
    'create table s.t (id int, at date) partition by list (at); alter table s.t rename column at to day',
    { partitionedBy: ['day'] },
  ],
]

test.each(CASES)('reads the storage of tables in %s: %s', (dialect, sql, storage) => {
  const { faults, tables } = readSchema([{ name: 'x.sql', sql }], { dialect })
  expect(faults).toEqual([])
  expect(tables.map((table) => table.storage)).toEqual([storage])
})
