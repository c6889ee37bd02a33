import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

/** Tables as tools print them: one that is damaged, and one behind it. */
const SCRIPTS: readonly (readonly [DialectName, string])[] = [
  [
    'postgres',
    `CREATE TABLE s.a (id integer NOT NULL, b character varying(20) DEFAULT 'x'::text, c numeric(10,2));`,
  ],
  [
    'mysql',
    'CREATE TABLE `a` (`id` int NOT NULL AUTO_INCREMENT, `b` varchar(9) COLLATE utf8_bin, `c` int) ENGINE=InnoDB;',
  ],
  [
    'sqlserver',
    'CREATE TABLE [dbo].[a] ([id] [int] IDENTITY(1,1) NOT NULL, [b] [nvarchar](max) NULL, [c] [bit]) ON [PRIMARY];',
  ],
  [
    'snowflake',
    `create or replace TABLE "a" ("id" NUMBER(38,0) NOT NULL, "b" VARCHAR(9) COMMENT 'x', "c" VARIANT);`,
  ],
  [
    'bigquery',
    'CREATE TABLE `p.s.a` (id INT64 NOT NULL OPTIONS(description="x"), b STRING, c ARRAY<STRUCT<x INT64>>);',
  ],
  [
    'clickhouse',
    'CREATE TABLE s.a (id UInt64 CODEC(ZSTD(1)), b Nullable(String), c DateTime) ENGINE = MergeTree ORDER BY id;',
  ],
  ['sqlite', 'CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT NOT NULL, c REAL);'],
  [
    'redshift',
    'CREATE TABLE s.a (id INTEGER NOT NULL ENCODE az64, b VARCHAR(9) ENCODE lzo, c SUPER) DISTSTYLE KEY;',
  ],
  [
    'databricks',
    `CREATE TABLE s.a (id BIGINT NOT NULL COMMENT 'x', b STRING, c MAP<STRING, INT>) USING DELTA;`,
  ],
  [
    'trino',
    `CREATE TABLE h.s.a (id bigint NOT NULL, b varchar(9) COMMENT 'x', c array(varchar)) WITH (format = 'ORC');`,
  ],
  ['duckdb', 'CREATE TABLE s.a (id INTEGER PRIMARY KEY, b VARCHAR NOT NULL, c STRUCT(x INTEGER));'],
  ['athena', "CREATE EXTERNAL TABLE `s.a` (`id` bigint, `b` string, `c` array<string>) LOCATION 's3://x';"],
]

test.each(SCRIPTS)('a word that %s does not know affects only its column', (dialect, statement) => {
  const places = [...statement.matchAll(/ /g)].map(({ index }) => index)
  for (const junk of ['@@junk', '?? %', '~ frob 12']) {
    for (const place of places) {
      const sql = `${statement.slice(0, place)} ${junk} ${statement.slice(place)}\nCREATE TABLE z (id int);`
      const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
      expect(tables.map(({ name }) => name.toLowerCase())).toContain('z')
      const damaged = tables.find(({ name }) => name.toLowerCase() === 'a')
      if (damaged) expect(damaged.columns.length, sql).toBeGreaterThanOrEqual(2)
      else expect(faults, sql).toEqual([expect.objectContaining({ path: 'a.sql', line: 1 })])
    }
  }
})
