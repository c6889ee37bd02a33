// Words that cannot name a column without quotes. Quoting one too many is harmless, one too few is a
// broken model, so that every list is a union.
//
// Sources: the keyword lists of dbt Core v2 (crates/dbt-sql-keywords, Apache-2.0) and of sqlfluff (MIT), read
// 2026-11-20; Snowflake completed from its page of reserved keywords. Measured in addition, by using every
// keyword of the engine as a bare column name: PostgreSQL 15, DuckDB 1.5.6, MariaDB 10.11, SQLite 3.53.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Words that open a clause or an expression in every SQL. */
export const COMMON_RESERVED: readonly string[] = words(`
  all and any as asc between both by case cast create cross default delete desc distinct drop else end
  except exists false for foreign from full group having in inner insert intersect into is join
  leading left like limit natural not null on or order outer primary references right select set table
  then to trailing true union unique update using values when where with
`)

/** Snowflake. */
export const SNOWFLAKE_RESERVED: readonly string[] = words(`
  account alter check column connect connection constraint current current_date current_time
  current_timestamp current_user database following grant gscluster ilike increment issue lateral
  localtime localtimestamp match_recognize minus of organization qualify regexp revoke rlike row
  rows sample schema some start tablesample trigger try_cast view whenever
`)

/** BigQuery. */
export const BIGQUERY_RESERVED: readonly string[] = words(`
  aggregate array assert_rows_modified at clone collate contains corresponding cube current define
  enum escape exclude extend extract fetch following grouping groups hash if ignore include
  interval lateral lookup match_recognize merge new no nulls of over partition pivot preceding
  proto qualify range recursive respect rollup rows some struct tablesample treat unbounded unnest
  unpivot window within
`)

/** Databricks. */
export const DATABRICKS_RESERVED: readonly string[] = words(`
  anti lateral minus semi
`)

/** Redshift. */
export const REDSHIFT_RESERVED: readonly string[] = words(`
  aes128 aes256 allowoverwrite analyse analyze append array authorization az64 binary blanksasnull
  both bytedict check collate column comprows compupdate constraint credentials current_date
  current_time current_timestamp current_user current_user_id datashare datetime deferrable defrag
  delimiters delta delta32k disable do emptyasnull enable encrypt encryption explicit_ids
  fillrecord freeze globaldict256 globaldict64k grant identity ignore ignoreblanklines
  ignoreheader ilike initially isnull leading localtime localtimestamp lun luns lzo minus mostly16
  mostly32 mostly8 new notnull nulls off offset oid old only open overlaps parallel partition
  percent permissions pivot placing raw readratio recover rejectlog resort respect restore
  runlength session_user similar snapshot some sysdate system tag tdes text255 text32k timestamp
  top trailing truncatecolumns unload unnest unpivot user verbose within without
`)

/** PostgreSQL. */
export const POSTGRES_RESERVED: readonly string[] = words(`
  analyse analyze array asymmetric authorization binary both check collate collation column
  concurrently connect constraint current_catalog current_date current_role current_schema
  current_time current_timestamp current_user deferrable do fetch freeze grant ilike initially
  isnull lateral leading localtime localtimestamp notnull offset only overlaps placing returning
  session_user similar some symmetric tablesample trailing user variadic verbose window
`)

/** DuckDB. */
export const DUCKDB_RESERVED: readonly string[] = words(`
  analyse analyze anti array asof asymmetric at authorization binary both check collate collation
  column concurrently constraint deferrable describe do fetch freeze glob ilike initially isnull
  lambda lateral leading minus notnull offset only overlaps pivot pivot_longer pivot_wider placing
  positional qualify returning semi show similar some summarize symmetric tablesample trailing
  unpack unpivot variadic verbose window
`)

/** MySQL and MariaDB. */
export const MYSQL_RESERVED: readonly string[] = words(`
  accessible add alter analyze asensitive before bigint binary blob both call cascade change char
  character check collate column condition constraint continue convert cume_dist current_date
  current_time current_timestamp current_user cursor database databases day_hour day_microsecond
  day_minute day_second dec decimal declare delayed dense_rank describe deterministic distinctrow
  div double dual each elseif empty enclosed escaped exit explain fetch first_value float float4
  float8 force fulltext generated get grant grouping groups high_priority hour_microsecond
  hour_minute hour_second if ignore index infile inout insensitive int int1 int2 int3 int4 int8
  integer interval io_after_gtids io_before_gtids iterate json_table key keys kill lag last_value
  lateral lead leading leave linear lines load localtime localtimestamp lock long longblob
  longtext loop low_priority master_bind master_ssl_verify_server_cert match maxvalue mediumblob
  mediumint mediumtext middleint minute_microsecond minute_second mod modifies no_write_to_binlog
  nth_value ntile numeric of offset optimize optimizer_costs option optionally out outfile over
  partition percent_rank precision procedure purge range rank read read_write reads real recursive
  regexp release rename repeat replace require resignal restrict return returning revoke rlike
  row_number rows schema schemas second_microsecond sensitive separator show signal smallint
  spatial specific sql sql_big_result sql_calc_found_rows sql_small_result sqlexception sqlstate
  sqlwarning ssl starting stored straight_join system terminated tinyblob tinyint tinytext
  trailing trigger undo unlock unsigned usage use utc_date utc_time utc_timestamp varbinary
  varchar varcharacter varying virtual while window write xor year_month zerofill
`)

/** SQL Server. */
export const SQLSERVER_RESERVED: readonly string[] = words(`
  add alter authorization backup begin break browse bulk cascade check checkpoint close clustered
  coalesce collate column commit compute constraint contains containstable continue convert
  current current_date current_time current_timestamp current_user cursor database dbcc deallocate
  declare definition deny disk distributed double dump errlvl escape exec execute exit external
  fetch file fillfactor freetext freetexttable function go goto grant holdlock identity
  identity_insert identitycol if index key kill lineno load merge national nocheck nonclustered
  nullif of off offsets open opendatasource openquery openrowset openxml option over percent pivot
  plan precision print proc procedure public raiserror read readtext reconfigure replication
  restore restrict return revert revoke rollback rowcount rowguidcol rule save schema
  securityaudit semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable
  session_user setuser shutdown some statistics system_user tablesample textsize top tran
  transaction trigger truncate try_convert tsequal unpivot updatetext use user varying view
  waitfor while writetext
`)

/** Trino. */
export const TRINO_RESERVED: readonly string[] = words(`
  alter connect constraint cube current_catalog current_date current_path current_role
  current_schema current_time current_timestamp current_user deallocate describe escape execute
  extract function grouping ilike json_array json_exists json_object json_query json_table
  json_value listagg localtime localtimestamp normalize prepare recursive rollup skip trim uescape
  unnest
`)

/** Athena. */
export const ATHENA_RESERVED: readonly string[] = words(`
  alter array authorization bigint binary boolean both cache char column commit conf constraint
  cube current current_date current_timestamp cursor database decimal describe double exchange
  external extract fetch float floor following function grant grouping if import int integer
  interval lateral less local macro map more none numeric of only out over partialscan partition
  percent preceding precision prepare preserve procedure range reads reduce regexp revoke rlike
  rollback rollup smallint sync tablesample transform trigger truncate unbounded uniquejoin
  utc_tmestamp varchar
`)

/** SQLite; measured. */
export const SQLITE_RESERVED: readonly string[] = words(`
  add alter autoincrement check collate commit constraint current_date current_time
  current_timestamp deferrable escape index isnull nothing notnull raise returning transaction
`)
