import { z } from 'zod'

/** The warehouses whose SQL Stagecraft writes. Each has a data table in `core/src/dialects`. */
export const DIALECT_NAMES = [
  'snowflake',
  'bigquery',
  'databricks',
  'redshift',
  'postgres',
  'duckdb',
  'mysql',
  'sqlserver',
  'trino',
  'athena',
  'clickhouse',
  'sqlite',
] as const

export const dialectNameSchema = z.enum(DIALECT_NAMES)

export type DialectName = z.infer<typeof dialectNameSchema>
