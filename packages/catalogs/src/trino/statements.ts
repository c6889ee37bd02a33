import { quoteName, type SchemaPlace, type Statement } from '../warehouse/statement.ts'

/**
 * The maximum number of names in a statement, because Trino looks up each name separately; for more, the
 * whole schema is read.
 */
const NAMED_TABLES = 50

/** Returns the statement that lists the schemas of a catalog. */
export function schemasOf(catalog: string): Statement {
  const text = `select schema_name from ${placesOf(catalog)}.schemata`
  return { name: 'schemas', text, values: [] }
}

/**
 * Returns the statements that describe one schema of Trino. Comments of tables have a separate statement,
 * because some connectors load every table for them. Comments of columns are in a column that `select *` does
 * not show, and so is `extra_info`:
 * https://github.com/trinodb/trino/blob/master/core/trino-main/src/main/java/io/trino/connector/informationschema/InformationSchemaTable.java
 */
export function statements({ database, schema, tables }: SchemaPlace): readonly Statement[] {
  const places = placesOf(database)
  const names = tables !== undefined && tables.length <= NAMED_TABLES ? tables : []
  const named = names.length === 0 ? '' : ` and table_name in (${names.map(() => '?').join(', ')})`
  return [
    {
      name: 'tables',
      text: `select table_schema, table_name, table_type
from ${places}.tables
where table_schema = ?${named}`,
      values: [schema, ...names],
    },
    {
      name: 'columns',
      text: `select table_schema, table_name, column_name, ordinal_position, data_type, is_nullable, column_default,
  comment as column_comment, false as is_hidden, extra_info
from ${places}.columns
where table_schema = ?${named}`,
      values: [schema, ...names],
    },
    {
      name: 'comments',
      text: `select schema_name as table_schema, table_name, comment as table_comment
from system.metadata.table_comments
where catalog_name = ${catalogOf(database)} and schema_name = ?${named}`,
      values: [...given(database), schema, ...names],
      optional: true,
    },
  ]
}

/** Returns the same statements, with comments in the statement of the tables. */
export function exportStatements(place: SchemaPlace): readonly Statement[] {
  const { database, schema } = place
  const text = `select t.table_schema, t.table_name, t.table_type, c.comment as table_comment, null as row_count,
  null as byte_count, null as last_changed
from ${placesOf(database)}.tables t
left join (
  select table_name, comment from system.metadata.table_comments where catalog_name = ${catalogOf(database)} and schema_name = ?
) c on c.table_name = t.table_name
where t.table_schema = ?`
  return [
    { name: 'tables', text, values: [...given(database), schema, schema] },
    ...statements(place).filter(({ name }) => name === 'columns'),
  ]
}

/** Returns the schema of metadata; without a catalog, that of the session. */
function placesOf(catalog: string | undefined): string {
  return catalog === undefined ? 'information_schema' : `${quoteName(catalog, 'trino')}.information_schema`
}

/** Source: https://trino.io/docs/current/functions/session.html */
function catalogOf(catalog: string | undefined): string {
  return catalog === undefined ? 'current_catalog' : '?'
}

function given(catalog: string | undefined): readonly string[] {
  return catalog === undefined ? [] : [catalog]
}
