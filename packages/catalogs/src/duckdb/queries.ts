import { quoteText } from '../sql/texts.ts'
import type { Scope, TablePlace } from '../warehouse/warehouse.ts'

// Names are literals in the queries, because node-api binds lists only with its own type, which other clients
// do not have.

const OWN = 'database_name = current_database() and not internal'

function list(names: readonly string[]): string {
  return names.map(quoteText).join(', ')
}

function inScope({ schemas, tables }: Scope, table = 'table_name'): string {
  const inSchemas = `database_name = current_database() and schema_name in (${list(schemas)})`
  return tables ? `${inSchemas} and ${table} in (${list(tables)})` : inSchemas
}

export const PLACE = 'select current_database() as "database", current_schema() as "defaultSchema"'

export const SCHEMAS = `
  select schema_name as "name", schema_name in ('information_schema', 'pg_catalog') as "isSystem"
  from duckdb_schemas() where database_name = current_database() order by schema_name`

export const names = (schemas: readonly string[]): string => `
  select schema_name as "schema", table_name as "table" from duckdb_tables() where ${OWN} and schema_name in (${list(schemas)})
  union all
  select schema_name, view_name from duckdb_views() where ${OWN} and schema_name in (${list(schemas)})`

export const tables = (scope: Scope): string => `
  select schema_name as "schema", table_name as "table", 'table' as "kind", comment as "comment"
  from duckdb_tables() where ${inScope(scope)} and not internal
  union all
  select schema_name, view_name, 'view', comment
  from duckdb_views() where ${inScope(scope, 'view_name')} and not internal`

/**
 * Reads columns. DuckDB reports the expression of a generated column as its default; they cannot be
 * distinguished.
 */
export const columns = (scope: Scope): string => `
  select schema_name as "schema", table_name as "table", column_name as "name", data_type as "type",
    is_nullable as "nullable", column_default as "default", comment as "comment"
  from duckdb_columns() where ${inScope(scope)}
  order by schema_name, table_name, column_index`

/** Reads constraints. A foreign key cannot refer to another schema. */
export const constraints = (scope: Scope): string => `
  select schema_name as "schema", table_name as "table", constraint_type as "type", expression as "expression",
    constraint_column_names as "columns", referenced_table as "toTable", referenced_column_names as "toColumns"
  from duckdb_constraints() where ${inScope(scope)} and constraint_type <> 'NOT NULL'
  order by schema_name, table_name, constraint_index`

export const uniqueIndexes = (scope: Scope): string => `
  select schema_name as "schema", table_name as "table", sql as "sql"
  from duckdb_indexes() where ${inScope(scope)} and is_unique and not is_primary
  order by schema_name, table_name, index_name`

/** Reads the row counts in the file; views and tables in memory have none. */
export const sizes = (scope: Scope): string => `
  select schema_name as "schema", table_name as "table", estimated_size as "rows"
  from duckdb_tables() where ${inScope(scope)} and not internal`

/** Reads the sizes of tables in blocks; small tables share blocks. */
export const bytes = (places: readonly TablePlace[]): string =>
  places
    .map(({ schema, table }) => {
      const name = quoteText([schema, table].map((part) => `"${part.replaceAll('"', '""')}"`).join('.'))
      return `select ${quoteText(schema)} as "schema", ${quoteText(table)} as "table", count(distinct block_id)
        * (select any_value(block_size) from pragma_database_size() where database_name = current_database()) as "bytes"
        from pragma_storage_info(${name})`
    })
    .join(' union all ')
