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

/** Every dialect by name; a name without a folder does not compile. */
export const DIALECTS: { readonly [Name in DialectName]: Dialect<Name> } = {
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
}

export type { CopiedPart, DdlRules, DialectSign } from './ddl-rules.ts'
export type { Dialect } from './dialect.ts'
export {
  DATE_PARTS,
  type ExpressionSyntax,
  type FunctionResult,
  type FunctionRules,
} from './function-rules.ts'
export { readRelationPart } from './relation-part.ts'
export { FAMILIES, type Family } from './type-rules.ts'
