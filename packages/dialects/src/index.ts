import type { DialectName } from '@stagecraft/spec'
import { athena } from './athena/athena.ts'
import { bigquery } from './bigquery/bigquery.ts'
import { clickhouse } from './clickhouse/clickhouse.ts'
import { databricks } from './databricks/databricks.ts'
import type { Dialect } from './dialect.ts'
import { duckdb } from './duckdb/duckdb.ts'
import { mysql } from './mysql/mysql.ts'
import { postgres } from './postgres/postgres.ts'
import { redshift } from './redshift/redshift.ts'
import { snowflake } from './snowflake/snowflake.ts'
import { sqlite } from './sqlite/sqlite.ts'
import { sqlserver } from './sqlserver/sqlserver.ts'
import { trino } from './trino/trino.ts'

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

export { FAMILIES, type Dialect, type Family } from './dialect.ts'
export {
  DATE_PARTS,
  EXPRESSION_FUNCTIONS,
  type ExpressionSyntax,
  type FunctionResult,
  PLAIN_SYNTAX,
} from './expression-functions.ts'
