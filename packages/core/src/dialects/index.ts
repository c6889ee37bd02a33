import type { DialectName } from '@stagecraft/spec'
import { athena } from './athena.ts'
import { bigquery } from './bigquery.ts'
import { clickhouse } from './clickhouse.ts'
import { databricks } from './databricks.ts'
import type { Dialect } from './dialect.ts'
import { duckdb } from './duckdb.ts'
import { mysql } from './mysql.ts'
import { postgres } from './postgres.ts'
import { redshift } from './redshift.ts'
import { snowflake } from './snowflake.ts'
import { sqlite } from './sqlite.ts'
import { sqlserver } from './sqlserver.ts'
import { trino } from './trino.ts'

/** Every dialect by name; a name without a table does not compile. */
export const DIALECTS = {
  snowflake,
  bigquery,
  databricks,
  redshift,
  postgres,
  duckdb,
  mysql,
  sqlserver,
  trino,
  athena,
  clickhouse,
  sqlite,
} satisfies Readonly<Record<DialectName, Dialect>>
