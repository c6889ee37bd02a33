import type { DialectName } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

/** Statements with clauses that are no columns, and the columns that the table has. */
const STATEMENTS: readonly (readonly [DialectName | undefined, columns: string, sql: string])[] = [
  [
    'mysql',
    'id,body,loc,emb',
    'CREATE TABLE t (id int NOT NULL, body text, loc point NOT NULL, emb VECTOR(3), PRIMARY KEY (id), FULLTEXT KEY ft (body) WITH PARSER ngram, SPATIAL KEY sp (loc), VECTOR INDEX v (emb) M=8 DISTANCE=cosine) ENGINE=InnoDB;',
  ],
  [
    'mysql',
    'id,body,emb',
    "CREATE TABLE t (id int, body text, emb VECTOR(3) NOT NULL COMMENT 'x', FULLTEXT (body), FULLTEXT INDEX (body), VECTOR KEY v (emb), SPATIAL INDEX (emb), KEY `k` (id) USING BTREE COMMENT 'x', INDEX ((lower(body))));",
  ],
  [
    'mysql',
    'id,b,c',
    'CREATE TABLE t (id int, b int, FULLTEXT KEY `a` (`b`) /*!50100 WITH PARSER `ngram` */, c int, CONSTRAINT FULLTEXT KEY zz (b));',
  ],
  [
    'mysql',
    'id,a2,b,c',
    'CREATE TABLE t (id int, a int, b int); ALTER TABLE t CHANGE COLUMN a a2 bigint NOT NULL, MODIFY b varchar(20) AFTER a2, ADD COLUMN c int, ADD FULLTEXT KEY f (b), ADD SPATIAL INDEX s (b), ADD VECTOR INDEX v (c);',
  ],
  [
    'mysql',
    'id,c,d',
    'CREATE TABLE t (id int); ALTER TABLE t ADD (c int, d int), ALGORITHM=INPLACE, LOCK=NONE;',
  ],
  ['mysql', 'id,b', 'CREATE TABLE t (id int, b int, STATISTICS s (id), PERIOD FOR SYSTEM_TIME(id, b));'],
  [
    'mysql',
    'id,b,v',
    "CREATE TABLE t (id bigint, b text, v VECTOR(4, F32) NOT NULL, SHARD KEY (id), SORT KEY (b), KEY (b) USING CLUSTERED COLUMNSTORE, VECTOR INDEX ivf (v) INDEX_OPTIONS '{}', FULLTEXT USING VERSION 2 ft (b), UNIQUE KEY pk (id) USING HASH UNENFORCED RELY);",
  ],
  [
    'postgres',
    'id,b,emb',
    'CREATE TABLE t (id int, b jsonb, emb vector(3), INDEX (b), INVERTED INDEX inv (b), VECTOR INDEX v (emb), FAMILY f1 (id, b), UNIQUE WITHOUT INDEX (id), INDEX i2 (id) STORING (b), STATISTICS s (id));',
  ],
  [
    'postgres',
    'id,b',
    'CREATE TABLE t (id INT8 NOT NULL DEFAULT unique_rowid(), b STRING NULL, CONSTRAINT "primary" PRIMARY KEY (id ASC) USING HASH WITH BUCKET_COUNT = 8, FAMILY "primary" (id, b)) LOCALITY REGIONAL BY ROW;',
  ],
  [
    'postgres',
    'id,b',
    'CREATE TABLE t (id int, b int, EXCLUDE USING gist (b WITH &&), LIKE other INCLUDING ALL, CHECK (b > 0));',
  ],
  [
    'redshift',
    'id,b,c',
    'CREATE TABLE t (id int ENCODE az64 DISTKEY SORTKEY, b varchar(20) ENCODE lzo COLLATE CASE_INSENSITIVE, c super ENCODE zstd) BACKUP NO DISTSTYLE KEY COMPOUND SORTKEY (id, b) ENCODE AUTO;',
  ],
  [
    'redshift',
    'id,b',
    'CREATE TABLE t (id int, b varchar(20)); ALTER TABLE t ALTER COLUMN b ENCODE zstd; ALTER TABLE t ALTER SORTKEY AUTO; ALTER TABLE t ALTER DISTSTYLE EVEN; ALTER TABLE t ALTER ENCODE AUTO; ALTER TABLE t ALTER COLUMN b TYPE varchar(40);',
  ],
  [
    'redshift',
    'id,b,c',
    'CREATE TABLE t (id int, b int, c date SORTKEY, SORTKEY (id), DISTKEY (b), ENCODE AUTO, UNIQUE (b));',
  ],
  [
    'redshift',
    'id,b,d',
    "CREATE EXTERNAL TABLE s.t (id int, b varchar(20)) PARTITIONED BY (d date) ROW FORMAT DELIMITED FIELDS TERMINATED BY ',' STORED AS TEXTFILE LOCATION 's3://x' TABLE PROPERTIES ('a'='b');",
  ],
  [
    'snowflake',
    'ID,B',
    "CREATE TABLE t (id number, b varchar(10)); ALTER TABLE t MODIFY COLUMN b SET DATA TYPE varchar(40), COLUMN id COMMENT 'x'; ALTER TABLE t MODIFY (b DROP NOT NULL, COLUMN id SET NOT NULL); ALTER TABLE t MODIFY COLUMN b SET MASKING POLICY p; ALTER TABLE t ALTER id DROP DEFAULT, b SET TAG x = 'y';",
  ],
  [
    'snowflake',
    'ID,B,C',
    "CREATE OR REPLACE TABLE t (id number(38,0) NOT NULL AUTOINCREMENT START 1 INCREMENT 1 ORDER, b varchar WITH MASKING POLICY p USING (b, id) WITH TAG (a='b', c='d'), c vector(float, 256) PROJECTION POLICY pp, CONSTRAINT pk PRIMARY KEY (id) NOT ENFORCED RELY, FOREIGN KEY (b) REFERENCES o (x) MATCH FULL ON DELETE NO ACTION, UNIQUE (b) DISABLE NOVALIDATE) CLUSTER BY (id) DATA_RETENTION_TIME_IN_DAYS = 1 CHANGE_TRACKING = TRUE;",
  ],
  ['snowflake', 'ID,B', 'CREATE HYBRID TABLE t (id int PRIMARY KEY, b varchar, INDEX ix (b) INCLUDE (id));'],
  [
    'snowflake',
    'ID,C',
    "CREATE DYNAMIC TABLE t (id int, c varchar) TARGET_LAG = '1 hour' WAREHOUSE = w AS SELECT 1, 2;",
  ],
  [
    'snowflake',
    'VALUE,ID,D',
    'CREATE EXTERNAL TABLE t (id int AS (value:c1::int), d date AS (to_date(value:c2::varchar))) PARTITION BY (d) LOCATION=@s/ FILE_FORMAT=(TYPE=PARQUET);',
  ],
  [
    'databricks',
    'x,y',
    "CREATE TABLE t (a int, b int); ALTER TABLE t REPLACE COLUMNS (x bigint COMMENT 'k', y string);",
  ],
  [
    'databricks',
    'id,b2,c',
    "CREATE TABLE t (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1), b string); ALTER TABLE t RENAME COLUMN b TO b2; ALTER TABLE t ADD COLUMNS (c int COMMENT 'x' AFTER b2); ALTER TABLE t ALTER COLUMN c SET NOT NULL; ALTER TABLE t ALTER COLUMN c SYNC IDENTITY; ALTER TABLE t ALTER COLUMN id SYNC IDENTITY;",
  ],
  [
    'databricks',
    'id,v,d',
    "CREATE TABLE t (id BIGINT NOT NULL, v STRING COLLATE UTF8_LCASE MASK f USING COLUMNS (id), d DATE GENERATED ALWAYS AS (CAST(v AS DATE)), CONSTRAINT pk PRIMARY KEY (id TIMESERIES) RELY) USING DELTA CLUSTER BY (id) TBLPROPERTIES ('a'='b') WITH ROW FILTER f ON (id);",
  ],
  [
    'athena',
    'x,y,p',
    "CREATE EXTERNAL TABLE t (a int, b int) PARTITIONED BY (p string) LOCATION 's3://x'; ALTER TABLE t REPLACE COLUMNS (x int, y struct<a:int,b:string>);",
  ],
  [
    'athena',
    'a,b2,c',
    "CREATE EXTERNAL TABLE t (a int, b int) STORED AS PARQUET LOCATION 's3://x'; ALTER TABLE t CHANGE COLUMN b b2 bigint COMMENT 'x' AFTER a; ALTER TABLE t ADD COLUMNS (c array<int>); ALTER TABLE t ADD IF NOT EXISTS PARTITION (d='1') LOCATION 's3://y'; ALTER TABLE t SET TBLPROPERTIES ('a'='b');",
  ],
  [
    'athena',
    'a,d',
    "CREATE TABLE t (a bigint, d date) PARTITIONED BY (day(d), bucket(16, a)) LOCATION 's3://x/' TBLPROPERTIES ('table_type'='ICEBERG');",
  ],
  [
    'bigquery',
    'id,b,s',
    "CREATE TABLE d.t (id INT64 NOT NULL OPTIONS(description='x'), b STRING(10) DEFAULT 'x' COLLATE 'und:ci', s STRUCT<a INT64 NOT NULL, b ARRAY<STRUCT<c DATE>>> OPTIONS(description='y'), PRIMARY KEY (id) NOT ENFORCED, FOREIGN KEY (b) REFERENCES d.o(x) NOT ENFORCED) PARTITION BY DATE(_PARTITIONTIME) CLUSTER BY id OPTIONS(require_partition_filter=true);",
  ],
  [
    'bigquery',
    'id,c',
    "CREATE TABLE d.t (id INT64, b STRING); ALTER TABLE d.t ADD COLUMN IF NOT EXISTS c GEOGRAPHY, DROP COLUMN IF EXISTS b; ALTER TABLE d.t ALTER COLUMN c SET OPTIONS (description='x'); ALTER TABLE d.t SET OPTIONS (x=1); CREATE VECTOR INDEX v ON d.t(c) OPTIONS(a='b'); CREATE SEARCH INDEX s ON d.t(ALL COLUMNS);",
  ],
  [
    'bigquery',
    'id,b',
    'CREATE TABLE t (id STRING(36) NOT NULL, b INT64, SYNONYM (x), CONSTRAINT c FOREIGN KEY (b) REFERENCES o (x), ROW DELETION POLICY (OLDER_THAN(b, INTERVAL 1 DAY))) PRIMARY KEY (id), INTERLEAVE IN PARENT p ON DELETE CASCADE;',
  ],
  [
    'clickhouse',
    'id,b,c',
    "CREATE TABLE d.t ON CLUSTER '{c}' (id UInt64 CODEC(Delta, ZSTD), b LowCardinality(String) TTL c + INTERVAL 1 DAY, c DateTime64(3, 'UTC') STATISTICS(tdigest), INDEX i b TYPE bloom_filter GRANULARITY 1, PROJECTION p (SELECT id ORDER BY b), CONSTRAINT x CHECK id > 0, CONSTRAINT y ASSUME b != '', PRIMARY KEY id) ENGINE = ReplicatedMergeTree('/x', '{r}') ORDER BY id SETTINGS a=1 COMMENT 'z';",
  ],
  [
    'clickhouse',
    'b2,id,c',
    'CREATE TABLE t (id UInt64, b String) ENGINE=Memory; ALTER TABLE t MODIFY COLUMN b Nullable(String) CODEC(ZSTD) FIRST, RENAME COLUMN b TO b2, ADD COLUMN IF NOT EXISTS c Int8 AFTER id, ADD INDEX i c TYPE minmax, MODIFY TTL c, MODIFY SETTING x=1, ADD STATISTICS b2 TYPE tdigest, MODIFY STATISTICS b2 TYPE uniq, MATERIALIZE INDEX i, CLEAR COLUMN c, ADD PROJECTION p (SELECT id);',
  ],
  [
    'sqlserver',
    'id,b,c',
    "CREATE TABLE dbo.t ([id] int IDENTITY(1,1) NOT NULL, b nvarchar(max) MASKED WITH (FUNCTION='default()') NULL, c AS (id + 1) PERSISTED, CONSTRAINT pk PRIMARY KEY CLUSTERED (id ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY], INDEX ix NONCLUSTERED (b) INCLUDE (c) WHERE b IS NOT NULL, PERIOD FOR SYSTEM_TIME (b, c), INDEX ccs CLUSTERED COLUMNSTORE) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY];",
  ],
  [
    'sqlserver',
    'id,b,v',
    'CREATE TABLE t (id int, b varchar(10) SPARSE, v vector(3), cs xml COLUMN_SET FOR ALL_SPARSE_COLUMNS); ALTER TABLE t DROP COLUMN cs; ALTER TABLE t ALTER COLUMN b nvarchar(20) COLLATE Latin1_General_CI_AS NOT NULL; CREATE STATISTICS s ON t (b); ALTER TABLE t ADD CONSTRAINT d DEFAULT (0) FOR b, CONSTRAINT u UNIQUE (b); CREATE FULLTEXT INDEX ON t (b) KEY INDEX pk;',
  ],
  [
    'sqlserver',
    'id,b',
    'CREATE TABLE dbo.t (id int NOT NULL, b int) WITH (DISTRIBUTION = HASH(id), CLUSTERED COLUMNSTORE INDEX, PARTITION (id RANGE RIGHT FOR VALUES (1,2)));',
  ],
  [
    'trino',
    'id,b,c',
    "CREATE TABLE h.s.t (id bigint NOT NULL, b row(x integer, y array(varchar)) WITH (a = 1), c timestamp(6) with time zone COMMENT 'x', LIKE o INCLUDING PROPERTIES) WITH (partitioning = ARRAY['day(c)']);",
  ],
  [
    undefined,
    'ID,B,C,D',
    'CREATE TABLE "T" ("ID" NUMBER(10,0) GENERATED BY DEFAULT ON NULL AS IDENTITY MINVALUE 1 NOCACHE NOCYCLE, "B" VARCHAR2(20 CHAR) INVISIBLE, "C" DATE DEFAULT SYSDATE NOT NULL ENABLE, "D" CLOB, CONSTRAINT "P" PRIMARY KEY ("ID") USING INDEX PCTFREE 10 TABLESPACE "X" ENABLE, SUPPLEMENTAL LOG DATA (ALL) COLUMNS) SEGMENT CREATION IMMEDIATE LOB ("D") STORE AS SECUREFILE (TABLESPACE "X");',
  ],
  [
    undefined,
    'id,b,c',
    'CREATE TABLE t (id NUMBER, b VARCHAR2(10)); ALTER TABLE t MODIFY (b VARCHAR2(40) NOT NULL, id NOT NULL); ALTER TABLE t ADD (c DATE DEFAULT SYSDATE); ALTER TABLE t MODIFY id DEFAULT 1;',
  ],
  [
    'duckdb',
    'id,e,m',
    "CREATE TABLE t (id INTEGER, e ENUM('a','b'), m MAP(VARCHAR, INTEGER), CHECK (id > 0), FOREIGN KEY (id) REFERENCES o (x));",
  ],
  [
    'sqlite',
    'id,b',
    "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT GENERATED ALWAYS AS (id || 'x') STORED, UNIQUE (b) ON CONFLICT REPLACE, CHECK (b <> '')) STRICT, WITHOUT ROWID;",
  ],
  ['mysql', 'id,a', 'CREATE TABLE t (id int, a int, FROBNICATE KEY zz (a), HYPER INDEX (a));'],
  ['postgres', 'id,a', 'CREATE TABLE t (id int, a int, FROBNICATE KEY zz (a), HYPER INDEX (a));'],
  [
    'postgres',
    'id,a',
    'CREATE TABLE t (id int, a int); ALTER TABLE t FROBNICATE COLUMN a; ALTER TABLE t ADD FROBNICATE INDEX zz (a);',
  ],
  ['snowflake', 'ID,A', 'CREATE TABLE t (id int, a int); ALTER TABLE t FROBNICATE COLUMN a SET x;'],
]

test.each(STATEMENTS)('in %s, a table has the columns %s: %.70s', (dialect, columns, sql) => {
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
  const table = tables.find(({ name }) => name.toLowerCase() === 't')
  expect(table?.columns.map(({ name }) => name).join(',')).toBe(columns)
})

test.each([
  'CREATE TABLE t (id int, b int, STATISTICS s (id))',
  'CREATE TABLE t (id int, b int, FROBNICATE KEY s (id))',
  'CREATE TABLE t (id int, b int); ALTER TABLE t FROBNICATE COLUMN b',
  'CREATE TABLE t (id int, b int); ALTER TABLE t ADD FROBNICATE INDEX i (b)',
  'CREATE TABLE t (id int, b int); ALTER TABLE t ALTER COLUMN b FROBNICATE',
  'CREATE TABLE t (LIKE missing, id int, b int)',
])('a clause that is not understood is told with its line: %s', (statement) => {
  const { faults, tables } = readSchema([{ name: 'a.sql', sql: `\n${statement};` }], { dialect: 'postgres' })
  expect(tables[0]?.columns).toEqual([
    expect.objectContaining({ name: 'id', type: 'int' }),
    expect.objectContaining({ name: 'b', type: 'int' }),
  ])
  expect(faults).toEqual([expect.objectContaining({ line: 2 })])
})

test('a computed column has the type that its expression is cast to', () => {
  const sql = `create table t (a datetime2, b as cast(a as date), c as (convert([date],[a])) persisted not null,
    d as (datepart(year, a)), e as (a + 1));`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlserver' })
  expect(faults).toEqual([])
  expect(tables[0]?.columns).toEqual([
    { name: 'a', type: 'datetime2' },
    { name: 'b', type: 'date' },
    { name: 'c', type: 'date', nullable: false },
    { name: 'd', type: 'unknown' },
    { name: 'e', type: 'unknown' },
  ])
})

test('an identity may have the options of a sequence without brackets, as Oracle prints them', () => {
  const sql = `CREATE TABLE t (id NUMBER(*,0) GENERATED BY DEFAULT ON NULL AS IDENTITY MINVALUE 1 MAXVALUE 9999 INCREMENT BY 1
    START WITH 1 CACHE 20 NOORDER NOCYCLE NOKEEP NOSCALE NOT NULL ENABLE, b DATE);
    CREATE PRIVATE TEMPORARY TABLE p (a NUMBER); CREATE IMMUTABLE TABLE i (a NUMBER) NO DROP;
    CREATE MANAGED TABLE m (a NUMBER); CREATE TRANSACTIONAL TABLE n (a NUMBER);`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: undefined })
  expect(faults).toEqual([])
  expect(tables.map(({ columns, name }) => [name, columns])).toEqual([
    [
      't',
      [
        { name: 'id', type: 'NUMBER(*,0)', nullable: false },
        { name: 'b', type: 'DATE' },
      ],
    ],
    ['i', [{ name: 'a', type: 'NUMBER' }]],
    ['m', [{ name: 'a', type: 'NUMBER' }]],
    ['n', [{ name: 'a', type: 'NUMBER' }]],
  ])
})

test('MODIFY of MySQL replaces the whole column', () => {
  const sql = `create table t (a int not null default 1 comment 'x'); alter table t modify a bigint`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: 'mysql' }).tables[0]?.columns).toEqual([
    { name: 'a', type: 'bigint' },
  ])
})

test('options of a foreign column keep its type; changes before DROP TABLE are those of the dropped table', () => {
  const sql = `ALTER TABLE IF EXISTS t ALTER COLUMN id DROP DEFAULT;
    DROP TABLE IF EXISTS t;
    CREATE TABLE t (id integer DEFAULT 1 NOT NULL);
    CREATE FOREIGN TABLE f (a integer NOT NULL) SERVER s;
    ALTER FOREIGN TABLE f ALTER COLUMN a OPTIONS (x 'y');`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(faults).toEqual([])
  expect(tables.map(({ columns }) => columns)).toEqual([
    [{ name: 'id', type: 'integer', nullable: false, default: '1' }],
    [{ name: 'a', type: 'integer', nullable: false }],
  ])
})

test('REPLACE COLUMNS keeps those of partitions; MODIFY without a type keeps the type', () => {
  const sql = `CREATE EXTERNAL TABLE t (a int, b int) PARTITIONED BY (p string) LOCATION 's3://x';
    ALTER TABLE t REPLACE COLUMNS (x bigint COMMENT 'of x', y string);`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'athena' })
  expect(tables[0]?.columns).toMatchObject([
    { name: 'x', type: 'bigint', comment: 'of x' },
    { name: 'y', type: 'string' },
    { name: 'p', type: 'string' },
  ])
  const oracle = 'CREATE TABLE t (id NUMBER(9)); ALTER TABLE t MODIFY (id NOT NULL);'
  expect(
    readSchema([{ name: 'a.sql', sql: oracle }], { dialect: undefined }).tables[0]?.columns,
  ).toMatchObject([{ name: 'id', type: 'NUMBER(9)', nullable: false }])
})

describe('columns that the warehouse adds, hides or stores as others', () => {
  const columnsOf = (sql: string, dialect: DialectName | undefined) => {
    const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
    expect(faults).toEqual([])
    return tables[0]
  }

  test('indexes and families of CockroachDB are no columns, and a partial index is no key', () => {
    const table = columnsOf(
      `CREATE TABLE t (
        id INT8 NOT NULL, email STRING NULL CREATE FAMILY f2, j JSONB NULL, index varchar(10), family numeric(5,2),
        rowid INT8 NOT VISIBLE NOT NULL DEFAULT unique_rowid(),
        CONSTRAINT "primary" PRIMARY KEY (id ASC),
        UNIQUE INDEX by_email (email ASC) STORING (j) WHERE id > 0, UNIQUE INDEX by_j (j ASC),
        INDEX by_time (id DESC) USING HASH WITH (bucket_count = 8), INVERTED INDEX inv (j),
        FAMILY "primary" (id, email), FAMILY f3 (j)
      )`,
      'postgres',
    )
    expect(table?.columns.map(({ name }) => name)).toEqual(['id', 'email', 'j', 'index', 'family', 'rowid'])
    expect(table?.columns.filter(({ hidden }) => hidden).map(({ name }) => name)).toEqual(['rowid'])
    expect(table?.uniqueKeys).toEqual([['j']])
  })

  test('an unused column of Oracle is gone', () => {
    const sql =
      'CREATE TABLE t (a NUMBER, b NUMBER, c DATE); ALTER TABLE t SET UNUSED (b); ALTER TABLE t SET UNUSED COLUMN c;'
    expect(columnsOf(sql, undefined)?.columns.map(({ name }) => name)).toEqual(['a'])
  })

  test('external tables of Snowflake have VALUE, also without a list of columns', () => {
    const sql = "create external table s.t with location = @stage file_format = f pattern = '.*csv'"
    expect(columnsOf(sql, 'snowflake')?.columns).toEqual([{ name: 'VALUE', type: 'VARIANT' }])
  })

  test('pseudo columns of BigQuery are left out', () => {
    const sql = 'create table d.t (a int64, _PARTITIONTIME timestamp, _TABLE_SUFFIX string, _changes int64)'
    expect(columnsOf(sql, 'bigquery')?.columns.map(({ name }) => name)).toEqual(['a', '_changes'])
  })

  test('MySQL stores bool as tinyint(1), as information_schema says', () => {
    const types = columnsOf('create table t (a bool, b BOOLEAN not null, c tinyint(1))', 'mysql')?.columns
    expect(types?.map(({ type }) => type)).toEqual(['tinyint(1)', 'tinyint(1)', 'tinyint(1)'])
  })
})
