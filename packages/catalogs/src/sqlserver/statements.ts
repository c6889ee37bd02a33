import type { SchemaPlace, Statement } from '../warehouse/statement.ts'

// The views of sys, from SQL Server 2016 on and in Azure SQL; they show only what the user may see, without an error.
// Pages: https://learn.microsoft.com/sql/relational-databases/system-catalog-views/object-catalog-views-transact-sql
// https://learn.microsoft.com/sql/relational-databases/system-catalog-views/sys-columns-transact-sql
// https://learn.microsoft.com/sql/relational-databases/system-catalog-views/sys-partitions-transact-sql
// https://learn.microsoft.com/sql/relational-databases/system-catalog-views/extended-properties-catalog-views-sys-extended-properties
// The last one does not name warehouses of Fabric.

/** Excludes objects of SQL Server itself, which are marked as shipped. */
const RELATIONS = `o.type in ('U', 'V') and o.is_ms_shipped = 0`

const COMMENT = 'cast(e.value as nvarchar(4000))'

/** Joins the description of a table (0) or of a column (its number), as SQL Server Management Studio calls it. */
const joinComment = (minor: string): string => `
left join sys.extended_properties e
  on e.class = 1 and e.major_id = o.object_id and e.minor_id = ${minor} and e.name = 'MS_Description'`

/**
 * Reads tables, with the row count of the heap or the clustered index. The history of a temporal table is a
 * separate table.
 */
const TABLES = `
select s.name as table_schema, o.name as table_name,
  case when o.type = 'V' then 'VIEW' when t.is_external = 1 then 'EXTERNAL TABLE' else 'BASE TABLE' end as table_type,
  ${COMMENT} as table_comment, r.row_count, m.schema_name as history_of_schema, m.table_name as history_of_table
from sys.objects o
join sys.schemas s on s.schema_id = o.schema_id
left join sys.tables t on t.object_id = o.object_id${joinComment('0')}
left join (
  select p.object_id, sum(p.rows) as row_count
  from sys.partitions p
  where p.index_id in (0, 1)
  group by p.object_id
) r on r.object_id = o.object_id
left join (
  select h.history_table_id, g.name as schema_name, h.name as table_name
  from sys.tables h
  join sys.schemas g on g.schema_id = h.schema_id
  where h.history_table_id is not null
) m on m.history_table_id = o.object_id
where ${RELATIONS}`

/** The base type of a column, which is nvarchar for sysname. Lengths are in bytes; -1 means max. */
const DATA_TYPE = `
  case
    when b.name in ('nvarchar', 'nchar') and c.max_length > 0
      then concat(b.name, '(', c.max_length / 2, ')')
    when b.name in ('varchar', 'char', 'varbinary', 'binary') and c.max_length > 0
      then concat(b.name, '(', c.max_length, ')')
    when b.name in ('nvarchar', 'varchar', 'varbinary') then concat(b.name, '(max)')
    when b.name in ('decimal', 'numeric') then concat(b.name, '(', c.precision, ',', c.scale, ')')
    when b.name in ('datetime2', 'datetimeoffset', 'time') then concat(b.name, '(', c.scale, ')')
    else coalesce(b.name, y.name)
  end as data_type`

/**
 * Reads columns. The expression of a computed column is not a default. Period columns of temporal tables may
 * be hidden from `select *`.
 */
const COLUMNS = `
select s.name as table_schema, o.name as table_name, c.name as column_name, c.column_id as ordinal_position,${DATA_TYPE},
  c.is_nullable, d.definition as column_default, ${COMMENT} as column_comment, c.is_hidden
from sys.objects o
join sys.schemas s on s.schema_id = o.schema_id
join sys.columns c on c.object_id = o.object_id
join sys.types y on y.user_type_id = c.user_type_id
left join sys.types b on b.user_type_id = c.system_type_id
left join sys.default_constraints d on d.object_id = c.default_object_id${joinComment('c.column_id')}
where ${RELATIONS}`

/** Reads unique indexes on all rows, with or without a constraint. */
const KEYS = `
select s.name as table_schema, o.name as table_name, i.name as constraint_name,
  case when i.is_primary_key = 1 then 'PRIMARY KEY' else 'UNIQUE' end as constraint_type,
  c.name as column_name, k.key_ordinal as ordinal_position
from sys.indexes i
join sys.objects o on o.object_id = i.object_id
join sys.schemas s on s.schema_id = o.schema_id
join sys.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id and k.key_ordinal > 0
join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id
where ${RELATIONS} and i.is_unique = 1 and i.has_filter = 0 and i.is_disabled = 0`

/** Reads foreign keys, except untrusted ones, which rows may violate. */
const FOREIGN_KEYS = `
select s.name as table_schema, o.name as table_name, f.name as constraint_name, 'FOREIGN KEY' as constraint_type,
  c.name as column_name, k.constraint_column_id as ordinal_position,
  q.name as referenced_schema, r.name as referenced_table, x.name as referenced_column
from sys.foreign_keys f
join sys.objects o on o.object_id = f.parent_object_id
join sys.schemas s on s.schema_id = o.schema_id
join sys.foreign_key_columns k on k.constraint_object_id = f.object_id
join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id
join sys.objects r on r.object_id = k.referenced_object_id
join sys.schemas q on q.schema_id = r.schema_id
join sys.columns x on x.object_id = k.referenced_object_id and x.column_id = k.referenced_column_id
where ${RELATIONS} and f.is_disabled = 0 and f.is_not_trusted = 0`

/** Reads checks of one column that are valid for all rows. */
const CHECKS = `
select s.name as table_schema, o.name as table_name, c.name as column_name, h.definition
from sys.check_constraints h
join sys.objects o on o.object_id = h.parent_object_id
join sys.schemas s on s.schema_id = o.schema_id
left join sys.columns c on c.object_id = h.parent_object_id and c.column_id = h.parent_column_id
where ${RELATIONS} and h.is_disabled = 0 and h.is_not_trusted = 0`

/** Reads the columns of the clustered index and of partitions. */
const STORAGE = `
select s.name as table_schema, o.name as table_name, c.name as column_name,
  nullif(k.partition_ordinal, 0) as partition_position,
  case when i.type = 1 then nullif(k.key_ordinal, 0) end as cluster_position
from sys.indexes i
join sys.objects o on o.object_id = i.object_id
join sys.schemas s on s.schema_id = o.schema_id
join sys.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id
join sys.columns c on c.object_id = k.object_id and c.column_id = k.column_id
where ${RELATIONS} and i.index_id in (0, 1) and (k.partition_ordinal > 0 or k.key_ordinal > 0)`

const SOURCES: Readonly<Record<string, string>> = {
  tables: TABLES,
  columns: COLUMNS,
  keys: KEYS,
  foreign_keys: FOREIGN_KEYS,
  checks: CHECKS,
  storage: STORAGE,
}

/** Returns the statements that read one schema. Their number does not depend on the number of tables. */
export function statements({ schema, tables = [] }: SchemaPlace): readonly Statement[] {
  return Object.entries(SOURCES).map(([name, text]) => ({
    name,
    text: [
      text.trim(),
      '  and s.name = ?',
      ...(tables.length > 0 ? [`  and o.name in (${tables.map(() => '?').join(', ')})`] : []),
    ].join('\n'),
    values: [schema, ...tables],
  }))
}

export const SCHEMAS: Statement = {
  name: 'schemas',
  text: 'select s.name as schema_name from sys.schemas s',
  values: [],
}

/** Returns true for internal schemas, and for the schemas of fixed database roles. */
export function isSystem(schema: string): boolean {
  return /^(?:sys|INFORMATION_SCHEMA|guest|db_(?:owner|accessadmin|securityadmin|ddladmin|backupoperator|datareader|datawriter|denydatareader|denydatawriter))$/.test(
    schema,
  )
}
