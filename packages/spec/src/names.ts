// Closed lists of names, separate from the schemas, so that programs can show them without loading zod.

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

/** The warehouses that can describe a schema by statements that any client can run. */
export const EXPORTED_DIALECTS = [
  'snowflake',
  'bigquery',
  'databricks',
  'redshift',
  'postgres',
  'mysql',
  'sqlserver',
  'trino',
  'athena',
  'clickhouse',
] as const satisfies readonly (typeof DIALECT_NAMES)[number][]

/** The types of model. Each is a row in core's table of types, with a plan function and a template. */
export const MODEL_TYPES = ['staging', 'base', 'snapshot'] as const

/** The presets that a configuration can start from. */
export const PRESET_NAMES = ['dbt-labs', 'fivetran', 'dbt-codegen'] as const

/** The backends that can edit plans. Each is a subpath of the package llm. */
export const BACKEND_NAMES = ['anthropic', 'openai', 'openai-compatible', 'replay'] as const

/** The kinds of relation that a table is read from. */
export const TABLE_KINDS = ['table', 'view', 'external'] as const

/** The conversions that a backend may propose, because it sees names and types, but no rows. */
export const PROPOSED_CONVERSIONS = [
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

/** The conversions from a raw value to the staged one. Each is a row in core's table of conversions. */
export const CONVERSIONS = [
  ...PROPOSED_CONVERSIONS,
  'date_day_first',
  'date_month_first',
  'date_yyyymmdd',
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
export type ExportedDialect = (typeof EXPORTED_DIALECTS)[number]
export type TableKind = (typeof TABLE_KINDS)[number]
export type ModelType = (typeof MODEL_TYPES)[number]
export type PresetName = (typeof PRESET_NAMES)[number]
export type Conversion = (typeof CONVERSIONS)[number]

/** The kinds of evidence that decisions rest on, strongest first. */
export const EVIDENCE_KINDS = [
  'configuration',
  'learned',
  'project',
  'constraint',
  'comment',
  'rows',
  'values',
  'type',
  'loader',
  'name',
  'backend',
  'convention',
] as const

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number]

/** The subjects of decisions about a model or its columns. */
export const DECISION_SUBJECTS = [
  'model',
  'path',
  'source',
  'table',
  'entity',
  'loader',
  'key',
  'rows',
  'freshness',
  'name',
  'value',
  'group',
  'description',
  'test',
] as const

export type DecisionSubject = (typeof DECISION_SUBJECTS)[number]
