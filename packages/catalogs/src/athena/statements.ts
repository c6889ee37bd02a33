import { quoteName, type SchemaPlace, type Statement } from '../warehouse/statement.ts'

/**
 * Returns statements that describe a schema by queries in Athena, for users without access to Glue. They
 * return only names and types. https://docs.aws.amazon.com/athena/latest/ug/querying-glue-catalog.html
 */
export function statements({ database = 'awsdatacatalog', schema }: SchemaPlace): readonly Statement[] {
  const from = `${quoteName(database, 'athena')}.information_schema`
  const values = [schema]
  return [
    {
      name: 'tables',
      text: `select t.table_schema, t.table_name, t.table_type, null as table_comment,
  null as row_count, null as byte_count, null as last_changed
from ${from}.tables t
where t.table_schema = lower(?)`,
      values,
    },
    {
      name: 'columns',
      text: `select c.table_schema, c.table_name, c.column_name, c.ordinal_position, c.data_type, c.is_nullable,
  c.column_default, null as column_comment, null as is_hidden
from ${from}.columns c
where c.table_schema = lower(?)`,
      values,
    },
  ]
}
