import type { DialectName } from '@stagecraft/spec'

/** Something in a script that only one dialect has. */
export interface DialectSign {
  readonly dialect: DialectName
  /** The sign in words: `a header of pg_dump`. */
  readonly sign: string
  readonly pattern: RegExp
  /** It is looked for in comments and texts too. Default: only outside them. */
  readonly isInComments?: true
  /**
   * The strength of the sign: 3 settles the question, 1 needs support where another dialect has a sign as
   * well.
   */
  readonly weight: 1 | 2 | 3
}

/**
 * PostgreSQL: https://www.postgresql.org/docs/current/app-pgdump.html
 * MySQL: https://dev.mysql.com/doc/refman/8.4/en/create-table.html, comments: …/en/comments.html
 * SQL Server: https://learn.microsoft.com/en-us/sql/t-sql/language-elements/sql-server-utilities-statements-go
 * SQLite: https://www.sqlite.org/autoinc.html, https://www.sqlite.org/pragma.html
 * ClickHouse: https://clickhouse.com/docs/engines/table-engines
 * Snowflake: https://docs.snowflake.com/en/sql-reference/sql/create-table
 * BigQuery: https://cloud.google.com/bigquery/docs/reference/standard-sql/data-definition-language
 * Databricks: https://docs.databricks.com/en/sql/language-manual/sql-ref-syntax-ddl-create-table-using.html
 * Redshift: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_TABLE_NEW.html
 * Athena: https://docs.aws.amazon.com/athena/latest/ug/create-table.html
 * Trino: https://trino.io/docs/current/connector/hive.html
 * DuckDB: https://duckdb.org/docs/stable/sql/data_types/overview
 */
export const DIALECT_SIGNS: readonly DialectSign[] = [
  {
    dialect: 'postgres',
    sign: 'the header of pg_dump',
    pattern: /^-- PostgreSQL database(?: cluster)? dump/m,
    isInComments: true,
    weight: 3,
  },
  { dialect: 'postgres', sign: 'CREATE EXTENSION', pattern: /^\s*CREATE\s+EXTENSION\b/im, weight: 2 },
  { dialect: 'postgres', sign: 'LANGUAGE plpgsql', pattern: /\bLANGUAGE\s+plpgsql\b/i, weight: 2 },
  { dialect: 'postgres', sign: 'ALTER TABLE ONLY', pattern: /\bALTER\s+TABLE\s+ONLY\b/i, weight: 2 },
  {
    dialect: 'postgres',
    sign: 'CREATE TYPE … AS ENUM',
    pattern: /\bCREATE\s+TYPE\s+[\w."]+\s+AS\s+ENUM\b/i,
    weight: 1,
  },
  {
    dialect: 'postgres',
    sign: 'a serial column',
    pattern: /\b(?:big|small)?serial[248]?\b\s*(?:[,)\n]|primary|not|unique)/i,
    weight: 1,
  },
  { dialect: 'postgres', sign: 'jsonb', pattern: /\sjsonb\b/i, weight: 1 },
  { dialect: 'postgres', sign: 'timestamptz', pattern: /\stimestamptz\b/i, weight: 1 },

  {
    dialect: 'mysql',
    sign: 'the header of mysqldump',
    pattern: /^-- (?:MySQL|MariaDB) dump |^-- phpMyAdmin SQL Dump/m,
    isInComments: true,
    weight: 3,
  },
  {
    dialect: 'mysql',
    sign: 'ENGINE=',
    pattern:
      /\bENGINE\s*=\s*(?:InnoDB|MyISAM|Aria|MEMORY|HEAP|ARCHIVE|CSV|FEDERATED|NDB(?:CLUSTER)?|RocksDB)\b/i,
    weight: 3,
  },
  { dialect: 'mysql', sign: 'AUTO_INCREMENT', pattern: /\bAUTO_INCREMENT\b/i, weight: 2 },
  {
    dialect: 'mysql',
    sign: 'a conditional comment',
    pattern: /\/\*!\d{5,6} /,
    isInComments: true,
    weight: 2,
  },

  {
    dialect: 'sqlserver',
    sign: 'GO on a line of its own',
    pattern: /^[ \t]*GO[ \t]*(?:;|\r)?$/im,
    weight: 3,
  },
  { dialect: 'sqlserver', sign: 'names in brackets', pattern: /\[\w+\]\s*\.\s*\[[^\]\n]+\]/, weight: 2 },
  { dialect: 'sqlserver', sign: 'names in brackets', pattern: /^\s*\[[^\]\n]+\]\s+\[?[a-z]/im, weight: 1 },
  { dialect: 'sqlserver', sign: 'NVARCHAR(MAX)', pattern: /\bn?varchar\]?\s*\(\s*max\s*\)/i, weight: 1 },
  { dialect: 'sqlserver', sign: 'CLUSTERED keys', pattern: /\bKEY\s+(?:NON)?CLUSTERED\b/i, weight: 2 },
  { dialect: 'sqlserver', sign: 'SET ANSI_NULLS', pattern: /^\s*SET\s+ANSI_NULLS\b/im, weight: 2 },
  {
    dialect: 'sqlserver',
    sign: 'a variable of sqlcmd',
    pattern: /^:setvar\s|^\s*USE\s+\[?\$\(/im,
    weight: 3,
  },

  { dialect: 'sqlite', sign: 'PRAGMA', pattern: /^\s*PRAGMA\s+\w+\s*(?:=|;|\()/im, weight: 3 },
  { dialect: 'sqlite', sign: 'WITHOUT ROWID', pattern: /\)\s*WITHOUT\s+ROWID\b/i, weight: 3 },
  { dialect: 'sqlite', sign: 'AUTOINCREMENT', pattern: /\bPRIMARY\s+KEY\s+AUTOINCREMENT\b/i, weight: 3 },

  {
    dialect: 'clickhouse',
    sign: 'ENGINE = MergeTree',
    pattern:
      /\bENGINE\s*=?\s*(?:\w*MergeTree|Distributed|TinyLog|StripeLog|Log|Kafka|Buffer|Null|ReplacingMergeTree)\b/i,
    weight: 3,
  },
  { dialect: 'clickhouse', sign: 'LowCardinality', pattern: /\bLowCardinality\s*\(/, weight: 2 },

  { dialect: 'snowflake', sign: 'TIMESTAMP_NTZ', pattern: /\bTIMESTAMP_(?:LTZ|TZ|NTZ\s*\()/i, weight: 2 },
  { dialect: 'snowflake', sign: 'VARCHAR(16777216)', pattern: /\bVARCHAR\s*\(\s*16777216\s*\)/i, weight: 2 },
  { dialect: 'snowflake', sign: 'NUMBER(38,0)', pattern: /\bNUMBER\s*\(\s*38\s*,\s*0\s*\)/i, weight: 1 },
  {
    dialect: 'snowflake',
    sign: 'a TRANSIENT table',
    pattern: /\bCREATE\s+(?:OR\s+REPLACE\s+)?TRANSIENT\b/i,
    weight: 2,
  },
  {
    dialect: 'snowflake',
    sign: 'a masking policy',
    pattern: /\bWITH\s+(?:MASKING\s+POLICY|TAG\s*\()/i,
    weight: 2,
  },

  { dialect: 'bigquery', sign: 'INT64', pattern: /\b(?:INT64|FLOAT64|BIGNUMERIC)\b/i, weight: 3 },
  { dialect: 'bigquery', sign: 'a path in backticks', pattern: /`[\w-]+\.[\w-]+\.[\w-]+`/, weight: 2 },

  {
    dialect: 'databricks',
    sign: 'USING DELTA',
    pattern: /\bUSING\s+(?:DELTA|ICEBERG|PARQUET)\b/i,
    weight: 3,
  },
  {
    dialect: 'databricks',
    sign: 'properties of Delta',
    pattern: /\bdelta\.(?:min|enable|auto|column|feature)/i,
    isInComments: true,
    weight: 2,
  },

  {
    dialect: 'redshift',
    sign: 'DISTKEY or SORTKEY',
    pattern: /\b(?:DISTSTYLE|DISTKEY|SORTKEY)\b/i,
    weight: 3,
  },
  {
    dialect: 'redshift',
    sign: 'ENCODE',
    pattern: /\bENCODE\s+(?:az64|lzo|zstd|raw|bytedict|delta|runlength|mostly\d+|text\d+)\b/i,
    weight: 3,
  },

  {
    dialect: 'athena',
    sign: 'ROW FORMAT SERDE',
    pattern: /\bROW\s+FORMAT\s+(?:SERDE|DELIMITED)\b/i,
    weight: 2,
  },
  {
    dialect: 'trino',
    sign: 'partitioned_by = ARRAY',
    pattern: /\b(?:partitioned_by|bucketed_by|partitioning|sorted_by)\s*=\s*ARRAY\s*\[/i,
    weight: 3,
  },
  {
    dialect: 'duckdb',
    sign: 'HUGEINT',
    pattern: /\b(?:HUGEINT|UHUGEINT|UTINYINT|USMALLINT|UINTEGER|UBIGINT)\b/i,
    weight: 2,
  },
]

/** Dialects that read each other's statements, so that the warehouse's own is taken. */
export const DIALECT_KIN: readonly (readonly DialectName[])[] = [
  ['postgres', 'redshift'],
  ['databricks', 'athena'],
]
