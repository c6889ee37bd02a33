import { quoteName, type SchemaPlace, type Statement } from '../warehouse/statement.ts'

// Each statement costs at least 10 MB, and answers are not cached, so few statements join as much as possible.
// The dataset is in the path of the views, which determines the location of the job. Pages:
// https://cloud.google.com/bigquery/docs/information-schema-intro
// https://cloud.google.com/bigquery/docs/information-schema-column-field-paths
// https://cloud.google.com/bigquery/docs/information-schema-key-column-usage

/** Matches the suffix of daily tables: `events_20260131`. */
const SHARD = '_[0-9]{8}$'

type View = (name: string) => string

/**
 * Reads tables. The comment is a literal: `"of the day"`. Only the definition states the time unit of
 * partitions.
 */
const tables = (view: View): string => `
select t.table_schema, t.table_name, t.table_type, o.option_value as table_comment,
  regexp_extract(t.ddl, r'\\nPARTITION BY ([^\\n]+)') as partition_key
from ${view('TABLES')} t
left join ${view('TABLE_OPTIONS')} o on o.table_name = t.table_name and o.option_name = 'description'
where t.table_name is not null`

/**
 * Reads columns. Fields of structs have separate rows, with their descriptions. Only the newest shard of a
 * table is read.
 */
const columns = (view: View): string => `
select c.table_schema, c.table_name, c.column_name, coalesce(f.field_path, c.column_name) as field_path,
  c.ordinal_position, coalesce(f.data_type, c.data_type) as data_type,
  c.is_nullable, c.column_default, f.description as column_comment,
  c.is_partitioning_column as partition_position, c.clustering_ordinal_position as cluster_position
from ${view('COLUMNS')} c
left join ${view('COLUMN_FIELD_PATHS')} f on f.table_name = c.table_name and f.column_name = c.column_name
where c.is_hidden = 'NO'
  and c.table_name in (
    select max(s.table_name) from ${view('TABLES')} s group by regexp_replace(s.table_name, '${SHARD}', '_*')
  )`

/** Reads keys, which are declared but not enforced. A key in another dataset is known only if it has one column. */
const keys = (view: View): string => `
select k.table_schema, k.table_name, k.constraint_name, t.constraint_type, k.column_name, k.ordinal_position,
  r.table_schema as referenced_schema, r.table_name as referenced_table,
  coalesce(p.column_name, case when r.columns = 1 then r.any_column end) as referenced_column
from ${view('KEY_COLUMN_USAGE')} k
join ${view('TABLE_CONSTRAINTS')} t
  on t.constraint_name = k.constraint_name and t.table_name = k.table_name
left join (
  select u.constraint_name, u.table_schema, u.table_name, count(*) as columns, min(u.column_name) as any_column
  from ${view('CONSTRAINT_COLUMN_USAGE')} u
  group by u.constraint_name, u.table_schema, u.table_name
) r on r.constraint_name = k.constraint_name and t.constraint_type = 'FOREIGN KEY'
left join (
  select q.table_schema, q.table_name, q.column_name, q.ordinal_position
  from ${view('KEY_COLUMN_USAGE')} q
  join ${view('TABLE_CONSTRAINTS')} c on c.constraint_name = q.constraint_name and c.table_name = q.table_name
  where c.constraint_type = 'PRIMARY KEY'
) p on p.table_schema = r.table_schema and p.table_name = r.table_name
  and p.ordinal_position = k.position_in_unique_constraint
where k.table_name is not null`

/**
 * Reads sizes. Rows in the streaming buffer are not counted. The view is not documented, but dbt reads it too:
 * https://github.com/dbt-labs/dbt-bigquery/blob/main/dbt/include/bigquery/macros/catalog/catalog.sql
 */
const storage = (view: View): string => `
select z.dataset_id as table_schema, z.table_id as table_name, z.row_count, z.size_bytes as byte_count,
  z.last_modified_time as last_changed
from ${view('__TABLES__')} z
where z.table_id is not null`

const SOURCES = [
  { name: 'tables', text: tables, by: 't.table_name' },
  { name: 'columns', text: columns, by: 'c.table_name' },
  { name: 'keys', text: keys, by: 'k.table_name' },
  { name: 'storage', text: storage, by: 'z.table_id', optional: true, onlySizes: true },
] as const

/** Returns the statements that read one dataset. The table `events_*` represents its shards. */
export function statements({ database, schema, tables: wanted = [] }: SchemaPlace): readonly Statement[] {
  const dataset = [...(database === undefined ? [] : [database]), schema]
  const view: View = (name) => {
    const path = dataset.map((part) => quoteName(part, 'bigquery')).join('.')
    return name === '__TABLES__' ? `${path}.${name}` : `${path}.INFORMATION_SCHEMA.${name}`
  }
  return SOURCES.map(({ by, text, ...source }) => ({
    ...source,
    text: [text(view).trim(), ...(wanted.length > 0 ? [`  and (${narrow(by, wanted)})`] : [])].join('\n'),
    values: wanted.map((name) => name.replace(/\*$/, '')),
  }))
}

function narrow(column: string, names: readonly string[]): string {
  return names
    .map((name) => (name.endsWith('_*') ? `starts_with(${column}, ?)` : `${column} = ?`))
    .join(' or ')
}

/** Returns the statement that lists the datasets of a project in the location of the job. */
export function schemas(project: string | undefined): Statement {
  const path = project === undefined ? '' : `${quoteName(project, 'bigquery')}.`
  return {
    name: 'schemas',
    text: `select s.schema_name from ${path}INFORMATION_SCHEMA.SCHEMATA s`,
    values: [],
  }
}
