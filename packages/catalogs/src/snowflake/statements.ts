import { quoteName, type SchemaPlace, type Statement } from '../warehouse/statement.ts'

// https://docs.snowflake.com/en/sql-reference/info-schema/tables and .../columns. SHOW needs no running warehouse.

/**
 * Reads tables. `last_altered` is used for base tables only, because the rows of other relations change
 * without it.
 */
const tables = (prefix: string, condition: string): string => `select
  t.table_schema as table_schema, t.table_name as table_name, t.table_type as table_type, t.comment as table_comment,
  t.row_count as row_count, t.bytes as byte_count, t.clustering_key as cluster_key,
  case when t.table_type = 'BASE TABLE' then t.last_altered end as last_changed
from ${prefix}information_schema.tables as t
where t.table_schema = ?${condition}`

/** Reads columns. Types omit defaults: 16 or 128 MB of text, nanoseconds. */
const columns = (prefix: string, condition: string): string => `select
  t.table_schema as table_schema, t.table_name as table_name, t.column_name as column_name,
  t.ordinal_position as ordinal_position,
  case
    when t.data_type = 'NUMBER' then 'NUMBER(' || t.numeric_precision || ',' || t.numeric_scale || ')'
    when t.data_type = 'TEXT' and t.character_maximum_length not in (16777216, 134217728)
      then 'VARCHAR(' || t.character_maximum_length || ')'
    when t.data_type = 'TEXT' then 'VARCHAR'
    when t.data_type in ('TIME', 'TIMESTAMP_NTZ', 'TIMESTAMP_LTZ', 'TIMESTAMP_TZ') and t.datetime_precision <> 9
      then t.data_type || '(' || t.datetime_precision || ')'
    else t.data_type
  end as data_type,
  t.is_nullable as is_nullable, t.column_default as column_default, t.comment as column_comment, null as is_hidden
from ${prefix}information_schema.columns as t
where t.table_schema = ?${condition}`

/** The maximum number of names in a statement; for more, the whole schema is read. */
const MOST_NAMES = 500

/**
 * Returns the statements that describe a schema. No view contains the columns of keys, so SHOW lists them:
 * https://docs.snowflake.com/en/sql-reference/info-schema
 * https://docs.snowflake.com/en/sql-reference/sql/show-primary-keys
 */
export function statements({ database, schema, tables: names = [] }: SchemaPlace): readonly Statement[] {
  const isFew = names.length > 0 && names.length <= MOST_NAMES
  const condition = isFew ? `\n  and t.table_name in (${names.map(() => '?').join(', ')})` : ''
  const values = [schema, ...(isFew ? names : [])]
  const place = quotePath(database, schema)
  // without a database, the statement uses that of the session
  const prefix = database === undefined ? '' : `${quotePath(database)}.`
  return [
    { name: 'tables', text: tables(prefix, condition), values },
    { name: 'columns', text: columns(prefix, condition), values },
    { name: 'primary_keys', text: `show primary keys in schema ${place}`, values: [] },
    { name: 'unique_keys', text: `show unique keys in schema ${place}`, values: [] },
    { name: 'imported_keys', text: `show imported keys in schema ${place}`, values: [] },
  ]
}

/** Returns the statement that lists the schemas of a database. */
export function schemaStatement(database: string): Statement {
  const text = `select s.schema_name as schema_name from ${quotePath(database)}.information_schema.schemata as s`
  return { name: 'schemas', text, values: [] }
}

/** Quotes the known parts of a path, so that the case of names is exact. */
export function quotePath(...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined ? [] : quoteName(part, 'snowflake'))).join('.')
}
