import type { SchemaPlace, Statement } from '../warehouse/statement.ts'

// The leader node is a PostgreSQL 8, whose functions cannot be joined with data of the compute nodes. So there is one
// statement for each source, and `to-tables.ts` combines the answers. Documentation:
// https://docs.aws.amazon.com/redshift/latest/dg/c_join_PG.html
// https://docs.aws.amazon.com/redshift/latest/dg/PG_GET_LATE_BINDING_VIEW_COLS.html
// https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_EXTERNAL_TABLES.html
// https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_EXTERNAL_COLUMNS.html
// https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_TABLE_INFO.html
// https://docs.aws.amazon.com/redshift/latest/dg/r_SVV_REDSHIFT_COLUMNS.html

/** Excludes the tables `mv_tbl__…`, which store the rows of materialized views. */
const RELATIONS = `c.relkind in ('r', 'p', 'v', 'm', 'f')
  and substring(cast(c.relname as varchar(128)), 1, 8) <> 'mv_tbl__'`

/** Reads tables. Tables of Spectrum and of other catalogs are in external schemas, without a row in pg_class. */
const TABLES = `
select r.table_schema, r.table_name, r.table_type, r.table_comment
from (
  select cast(n.nspname as varchar(128)) as table_schema, cast(c.relname as varchar(128)) as table_name,
    case when c.relkind in ('v', 'm') then 'VIEW' else 'BASE TABLE' end as table_type,
    cast(t.description as varchar(65535)) as table_comment
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  left join pg_catalog.pg_description t on t.objoid = c.oid and t.objsubid = 0
  where ${RELATIONS}
  union all
  select cast(e.schemaname as varchar(128)), cast(e.tablename as varchar(128)), 'EXTERNAL TABLE', null
  from svv_external_tables e
) r
where r.table_name is not null`

const COLUMNS = `
select n.nspname as table_schema, c.relname as table_name, a.attname as column_name, a.attnum as ordinal_position,
  pg_catalog.format_type(a.atttypid, a.atttypmod) as data_type, not a.attnotnull as is_nullable,
  pg_catalog.pg_get_expr(d.adbin, d.adrelid) as column_default, t.description as column_comment
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
left join pg_catalog.pg_description t on t.objoid = c.oid and t.objsubid = a.attnum
where ${RELATIONS}`

/**
 * Reads keys, which Redshift does not enforce. Their columns come from the definition, because the leader
 * node has no unnest.
 */
const CONSTRAINTS = `
select n.nspname as table_schema, c.relname as table_name, k.conname as constraint_name, k.contype as constraint_kind,
  pg_catalog.pg_get_constraintdef(k.oid) as definition, m.nspname as referenced_schema, r.relname as referenced_table
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_class r on r.oid = k.confrelid
left join pg_catalog.pg_namespace m on m.oid = r.relnamespace
where k.contype in ('p', 'u', 'f')`

/**
 * Reads the columns of views WITH NO SCHEMA BINDING, which are not in pg_attribute. A view that cannot be
 * resolved has no columns here either.
 */
const LATE_BINDING = `
select v.view_schema as table_schema, v.view_name as table_name, v.col_name as column_name,
  v.col_num as ordinal_position, v.col_type as data_type
from pg_get_late_binding_view_cols()
  as v (view_schema name, view_name name, col_name name, col_type varchar, col_num int)
where v.view_schema is not null`

const EXTERNAL_COLUMNS = `
select e.schemaname as table_schema, e.tablename as table_name, e.columnname as column_name,
  e.columnnum as ordinal_position, e.external_type as data_type, e.part_key as partition_position
from svv_external_columns e
where e.schemaname is not null`

/**
 * Reads sizes. The counts include rows that are marked for deletion; an empty table has no row. A block has
 * one mebibyte.
 */
const TABLE_INFO = `
select i."schema" as table_schema, i."table" as table_name, i.tbl_rows as row_count, i.size * 1048576 as byte_count
from svv_table_info i
where i."schema" is not null`

/** Reads distribution and sort keys. In an interleaved sort key, every second position is negative. */
const DISTRIBUTION = `
select k.schema_name as table_schema, k.table_name, k.column_name,
  case when k.distkey then 1 end as dist_position, nullif(abs(k.sortkey), 0) as sort_position
from svv_redshift_columns k
where k.database_name = current_database() and (k.distkey or k.sortkey <> 0)`

interface Source {
  readonly name: string
  readonly text: string
  /** The columns with the schema and the table, for the conditions. */
  readonly by: readonly [schema: string, table: string]
  readonly optional?: true
  readonly onlySizes?: true
}

const BY_CLASS = ['n.nspname', 'c.relname'] as const

const SOURCES: readonly Source[] = [
  { name: 'tables', text: TABLES, by: ['r.table_schema', 'r.table_name'] },
  { name: 'columns', text: COLUMNS, by: BY_CLASS },
  { name: 'constraints', text: CONSTRAINTS, by: BY_CLASS },
  { name: 'late_binding', text: LATE_BINDING, by: ['v.view_schema', 'v.view_name'], optional: true },
  { name: 'external_columns', text: EXTERNAL_COLUMNS, by: ['e.schemaname', 'e.tablename'], optional: true },
  { name: 'distribution', text: DISTRIBUTION, by: ['k.schema_name', 'k.table_name'], optional: true },
  { name: 'table_info', text: TABLE_INFO, by: ['i."schema"', 'i."table"'], optional: true, onlySizes: true },
]

/** Returns the statements that read one schema. Their number does not depend on the number of tables. */
export function statements({ schema, tables = [] }: SchemaPlace): readonly Statement[] {
  return SOURCES.map(({ by: [schemaColumn, tableColumn], text, ...source }) => ({
    ...source,
    text: [
      text.trim(),
      `  and ${schemaColumn} = ?`,
      ...(tables.length > 0 ? [`  and ${tableColumn} in (${tables.map(() => '?').join(', ')})`] : []),
    ].join('\n'),
    values: [schema, ...tables],
  }))
}

/** Lists the schemas of a database, including external ones. */
export const SCHEMAS: Statement = {
  name: 'schemas',
  text: 'select nspname as schema_name from pg_catalog.pg_namespace',
  values: [],
}

/** Returns true for internal schemas, and for schemas of temporary tables. */
export function isSystem(schema: string): boolean {
  return /^(?:pg_.*|information_schema|catalog_history)$/.test(schema)
}
