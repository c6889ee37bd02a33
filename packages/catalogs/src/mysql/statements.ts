import type { SchemaPlace, Statement } from '../warehouse/statement.ts'

const TABLES = `select t.table_schema as table_schema, t.table_name as table_name, t.table_type as table_type,
  nullif(t.table_comment, 'VIEW') as table_comment, t.table_rows as row_count, t.data_length as byte_count,
  t.update_time as last_changed, p.partition_key as partition_key
from information_schema.tables t
left join (
  select q.table_name as partitioned, max(q.partition_expression) as partition_key
  from information_schema.partitions q
  where q.partition_expression is not null and q.table_schema = ?
  group by q.table_name
) p on p.partitioned = t.table_name
where t.table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW') and t.table_schema = ?`

const COLUMNS = `select c.table_schema as table_schema, c.table_name as table_name, c.column_name as column_name,
  c.ordinal_position as ordinal_position, c.column_type as data_type, c.is_nullable as is_nullable,
  c.column_default as column_default, c.column_comment as column_comment,
  case when c.extra like '%INVISIBLE%' then 'YES' else 'NO' end as is_hidden
from information_schema.columns c
where c.table_schema = ?`

const KEYS = `select k.table_schema as table_schema, k.table_name as table_name, k.column_name as column_name,
  k.ordinal_position as ordinal_position, k.constraint_name as constraint_name, u.constraint_type as constraint_type,
  k.referenced_table_schema as referenced_schema, k.referenced_table_name as referenced_table,
  k.referenced_column_name as referenced_column
from information_schema.key_column_usage k
join information_schema.table_constraints u
  on u.constraint_schema = k.constraint_schema and u.table_name = k.table_name
  and u.constraint_name = k.constraint_name
where u.constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') and k.table_schema = ?`

/**
 * Reads checks of MySQL 8.0.16 or later and of MariaDB. SQL looks for a name without a table in the innermost
 * query first. So `table_name` is a column of MariaDB's `check_constraints`, where names are unique only
 * within a table; MySQL does not have this column and uses that of `table_constraints`.
 */
const CHECKS = `select t.table_schema as table_schema, t.table_name as table_name, null as column_name,
  case when version() like '%MariaDB%' then 'MariaDB' else 'MySQL' end as constraint_name,
  c.check_clause as definition
from (select 'YES' as enforced) as d
cross join information_schema.table_constraints t
join information_schema.check_constraints c
  on c.constraint_schema = t.constraint_schema and c.constraint_name = t.constraint_name
where t.constraint_type = 'CHECK' and t.table_schema = ?
  and exists (
    select 1 from information_schema.check_constraints x
    where x.constraint_schema = c.constraint_schema and x.constraint_name = c.constraint_name
      and x.check_clause = c.check_clause and table_name = t.table_name
  )`

/** Returns the statements that describe a schema, for other clients. The catalog itself uses `queries.ts`. */
export function statements({ schema }: SchemaPlace): readonly Statement[] {
  return [
    { name: 'tables', text: TABLES, values: [schema, schema] },
    { name: 'columns', text: COLUMNS, values: [schema] },
    { name: 'keys', text: KEYS, values: [schema] },
    { name: 'checks', text: CHECKS, values: [schema] },
  ]
}
