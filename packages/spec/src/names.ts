// Closed lists of names, apart from the schemas, so that a program can show them without loading zod.

/** The warehouses whose SQL Stagecraft writes. Each has a folder in `packages/dialects/src`. */
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

/** The kinds of model. Each is a row in core's table of kinds, with a plan function and a template. */
export const MODEL_KINDS = ['staging', 'base', 'snapshot'] as const

/** The sets of defaults that a configuration can start from. */
export const PRESET_NAMES = ['dbt-labs', 'fivetran', 'dbt-codegen'] as const

/** The backends that can edit plans. Each is a subpath of the package llm. */
export const BACKEND_NAMES = ['anthropic', 'openai', 'openai-compatible', 'replay'] as const

/** The kinds of relation that a table is read from. */
export const TABLE_KINDS = ['table', 'view', 'external'] as const

/** The conversions from a raw value to the staged one. Each is a row in core's table of conversions. */
export const CONVERSIONS = [
  'keep',
  'text',
  'integer',
  'decimal',
  'float',
  'boolean',
  'date',
  'timestamp',
  'epoch_seconds',
  'epoch_milliseconds',
  'epoch_microseconds',
  'cents',
] as const

/** The result types that an expression may declare. Each is a family of types in core. */
export const RESULT_TYPES = [
  'integer',
  'decimal',
  'float',
  'boolean',
  'string',
  'uuid',
  'date',
  'time',
  'timestamp_ntz',
  'timestamp_tz',
  'json',
  'array',
  'binary',
] as const

export type ResultType = (typeof RESULT_TYPES)[number]
export type BackendName = (typeof BACKEND_NAMES)[number]
export type DialectName = (typeof DIALECT_NAMES)[number]
export type TableKind = (typeof TABLE_KINDS)[number]
export type ModelKind = (typeof MODEL_KINDS)[number]
export type PresetName = (typeof PRESET_NAMES)[number]
export type Conversion = (typeof CONVERSIONS)[number]
