import type { DialectName } from '@stagecraft/spec'

/** The dialect by the adapter that dbt ran with; adapters that are not listed write another one. */
const DIALECTS: Readonly<Record<string, DialectName>> = {
  athena: 'athena',
  bigquery: 'bigquery',
  clickhouse: 'clickhouse',
  databricks: 'databricks',
  duckdb: 'duckdb',
  fabric: 'sqlserver',
  mysql: 'mysql',
  postgres: 'postgres',
  redshift: 'redshift',
  snowflake: 'snowflake',
  spark: 'databricks',
  sqlite: 'sqlite',
  sqlserver: 'sqlserver',
  trino: 'trino',
}

export function dialectOfAdapter(adapter: string | undefined): DialectName | undefined {
  return DIALECTS[adapter ?? '']
}

/** Returns true for a package that came with dbt and not with the project: `dbt` and one for each adapter. */
export function isBuiltIn(packageName: string): boolean {
  return packageName === 'dbt' || Object.keys(DIALECTS).some((adapter) => packageName === `dbt_${adapter}`)
}
