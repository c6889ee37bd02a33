import type { SchemaPlace, Statement } from '../warehouse/statement.ts'

/** The maximum number of names in a statement; for more, the whole schema is read. */
const NAMED_TABLES = 500

/** Excludes internal tables: the storage of materialized views, and the tables of a session. */
const OWN = "not startsWith(name, '.inner') and not is_temporary"

/**
 * Reads tables, with the definitions of those that have CHECK constraints, because no system table lists
 * these before 26.1.
 */
const TABLES = `select database as table_schema, name as table_name, engine as table_type, comment as table_comment,
  total_rows as row_count, total_bytes as byte_count, null as last_changed, partition_key, sorting_key as sort_key,
  if(endsWith(engine, 'MergeTree') and position(create_table_query, ' CHECK ') > 0, create_table_query, '') as definition
from system.tables
where database = ? and ${OWN}`

/** Reads columns. EPHEMERAL columns exist only in INSERT. */
const COLUMNS = `select database as table_schema, table as table_name, name as column_name, position as ordinal_position,
  type as data_type, startsWith(type, 'Nullable(') as is_nullable, comment as column_comment,
  if(default_kind = 'DEFAULT', default_expression, null) as column_default,
  default_kind in ('MATERIALIZED', 'ALIAS') as is_hidden
from system.columns
where database = ? and not startsWith(table, '.inner') and default_kind <> 'EPHEMERAL'`

/** Reads the parts of tables, which change with the rows. Users without permission to see them get no sizes. */
const PARTS = `select database as table_schema, table as table_name,
  toString(groupBitXor(cityHash64(name, hash_of_all_files, modification_time))) as last_changed,
  concat(toString(max(modification_time), 'UTC'), 'Z') as changed_at
from system.parts
where database = ? and active{named}
group by database, table`

/** The statement that lists databases. */
export const SCHEMAS: Statement = {
  name: 'schemas',
  text: 'select name as schema_name from system.databases',
  values: [],
}

/** Returns the statements that describe one database of ClickHouse, version 20.10 or later. */
export function statements({ schema, tables }: SchemaPlace): readonly Statement[] {
  const names = tables !== undefined && tables.length <= NAMED_TABLES ? tables : []
  const values = [schema, ...names]
  const named = (column: string): string =>
    names.length === 0 ? '' : ` and ${column} in (${names.map(() => '?').join(', ')})`
  return [
    { name: 'tables', text: `${TABLES}${named('name')}`, values },
    { name: 'columns', text: `${COLUMNS}${named('table')}`, values },
    {
      name: 'parts',
      text: PARTS.replace('{named}', named('table')),
      values,
      optional: true,
      onlySizes: true,
    },
  ]
}
