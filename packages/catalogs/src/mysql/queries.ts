// Every column has an alias, because MySQL 8 returns upper-case names and MariaDB the names in the query.

const SYSTEM_SCHEMAS = `'information_schema', 'mysql', 'performance_schema', 'sys'`

/** Excludes sequences, which are tables in MariaDB but do not contain data. */
const RELATIONS = `table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW', 'SYSTEM VIEW')`

/** Returns the condition that selects the tables to read; both placeholders take lists. */
function inScope(alias: string, byTable: boolean): string {
  return `${alias}.table_schema in (?)${byTable ? ` and ${alias}.table_name in (?)` : ''}`
}

export const DEFAULT_SCHEMA = 'select database() as `name`'

export const SCHEMAS = `
  select schema_name as \`name\`, lower(schema_name) in (${SYSTEM_SCHEMAS}) as \`isSystem\`
  from information_schema.schemata order by schema_name`

export const NAMES = `
  select table_schema as \`schema\`, table_name as \`table\`
  from information_schema.tables where ${RELATIONS} and table_schema in (?)`

export const tables = (byTable: boolean): string => `
  select t.table_schema as \`schema\`, t.table_name as \`table\`, t.table_type as \`type\`, t.table_comment as \`comment\`
  from information_schema.tables t where ${RELATIONS} and ${inScope('t', byTable)}`

export const columns = (byTable: boolean): string => `
  select c.table_schema as \`schema\`, c.table_name as \`table\`, c.column_name as \`name\`, c.column_type as \`type\`,
    c.is_nullable as \`nullable\`, c.column_default as \`default\`, c.column_comment as \`comment\`, c.extra as \`extra\`
  from information_schema.columns c where ${inScope('c', byTable)}
  order by c.table_schema, c.table_name, c.ordinal_position`

/**
 * Reads the partition key of each table, which every partition repeats. Before MySQL 8 the view opens every
 * table.
 */
export const partitions = (byTable: boolean): string => `
  select distinct p.table_schema as \`schema\`, p.table_name as \`table\`, p.partition_expression as \`expression\`
  from information_schema.partitions p where p.partition_expression is not null and ${inScope('p', byTable)}`

/**
 * Reads keys. A unique prefix of a column makes the column unique too; MySQL lists an expression as a column
 * without a name.
 */
export const keys = (byTable: boolean): string => `
  select s.table_schema as \`schema\`, s.table_name as \`table\`, s.index_name as \`key\`, s.column_name as \`column\`,
    case when s.index_name = 'PRIMARY' then 'primary' else 'unique' end as \`kind\`
  from information_schema.statistics s where s.non_unique = 0 and ${inScope('s', byTable)}
  order by s.table_schema, s.table_name, s.index_name, s.seq_in_index`

export const foreignKeys = (byTable: boolean): string => `
  select k.table_schema as \`schema\`, k.table_name as \`table\`, k.constraint_name as \`key\`, k.column_name as \`column\`,
    k.referenced_table_schema as \`toSchema\`, k.referenced_table_name as \`toTable\`,
    k.referenced_column_name as \`toColumn\`
  from information_schema.key_column_usage k where k.referenced_table_name is not null and ${inScope('k', byTable)}
  order by k.table_schema, k.table_name, k.constraint_name, k.ordinal_position`

/**
 * Finds out if the server has CHECK_CONSTRAINTS, which MySQL before 8.0.16 does not have, and if it contains
 * table names, which only MariaDB's does.
 */
export const CHECK_COLUMNS = `
  select column_name as \`name\` from information_schema.columns
  where table_schema = 'information_schema' and table_name = 'CHECK_CONSTRAINTS'`

export const mariadbChecks = (byTable: boolean): string => `
  select c.constraint_schema as \`schema\`, c.table_name as \`table\`, c.check_clause as \`expression\`
  from information_schema.check_constraints c
  where c.constraint_schema in (?)${byTable ? ' and c.table_name in (?)' : ''}`

export const mysqlChecks = (byTable: boolean): string => `
  select t.table_schema as \`schema\`, t.table_name as \`table\`, c.check_clause as \`expression\`
  from information_schema.table_constraints t join information_schema.check_constraints c
    on c.constraint_schema = t.constraint_schema and c.constraint_name = t.constraint_name
  where t.constraint_type = 'CHECK' and t.enforced = 'YES' and ${inScope('t', byTable)}`

/**
 * Reads sizes and changes. InnoDB keeps the time of the last change in memory and in whole seconds, so
 * another change may follow within the same second, and a table that has not changed since the server started
 * has no time.
 */
export const SIZES = `
  select table_schema as \`schema\`, table_name as \`table\`, table_rows as \`rows\`, data_length as \`bytes\`,
    case when update_time < now() - interval 2 second then concat(create_time, ' ', update_time) end as \`version\`,
    unix_timestamp(update_time) * 1000 as \`changedAt\`
  from information_schema.tables where ${RELATIONS} and table_type not like '%VIEW' and ${inScope('tables', true)}`
