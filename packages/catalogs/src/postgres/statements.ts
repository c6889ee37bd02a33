import type { SchemaPlace, Statement } from '../warehouse/statement.ts'
import { TYPES_OF_COLUMN } from './queries.ts'

const RELATIONS = `c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition and n.nspname = ?`

const TABLES = `select n.nspname as table_schema, c.relname as table_name,
  case when c.relkind in ('v', 'm') then 'VIEW' when c.relkind = 'f' then 'FOREIGN' else 'BASE TABLE' end as table_type,
  obj_description(c.oid, 'pg_class') as table_comment,
  case when c.relkind in ('r', 'm') and c.reltuples >= 0 then cast(c.reltuples as bigint) end as row_count,
  case when c.relkind in ('r', 'm') then pg_table_size(c.oid) end as byte_count,
  null as last_changed, case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition_key
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where ${RELATIONS}`

/**
 * Reads columns, without labels for a domain over an enum: its values cannot be compared with texts. PostgreSQL 18
 * marks a column with a NOT NULL constraint even if its rows were never checked.
 */
const COLUMNS = `select n.nspname as table_schema, c.relname as table_name, a.attname as column_name,
  a.attnum as ordinal_position,
  format_type(t.oid, t.modifier) as data_type,
  case when t.required or a.attnotnull and not exists (
    select 1 from pg_catalog.pg_constraint u
    where u.conrelid = c.oid and u.contype = 'n' and not u.convalidated and u.conkey = array[a.attnum]
  ) then 'NO' else 'YES' end as is_nullable,
  case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as column_default,
  col_description(c.oid, a.attnum) as column_comment, null as is_hidden,
  (
    select cast(json_agg(e.enumlabel order by e.enumsortorder) as text)
    from pg_catalog.pg_enum e
    where e.enumtypid = a.atttypid
  ) as allowed_values
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
cross join lateral (${TYPES_OF_COLUMN}
  select s.oid, s.modifier, (select bool_or(required) from types) as required from types s where s.kind <> 'd'
) t
left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where ${RELATIONS}`

/** Reads checks of one column: its own, and the checks of its domain, where the column is called VALUE. */
const CHECKS = `select n.nspname as table_schema, c.relname as table_name, null as column_name,
  k.conname as constraint_name, pg_get_expr(k.conbin, k.conrelid) as definition
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where k.contype = 'c' and k.convalidated and cardinality(k.conkey) = 1 and ${RELATIONS}
union all
select n.nspname, c.relname, a.attname, k.conname, pg_get_expr(k.conbin, 0)
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
cross join lateral (${TYPES_OF_COLUMN} select oid from types where kind = 'd') t
join pg_catalog.pg_constraint k on k.contypid = t.oid
where k.contype = 'c' and k.convalidated and k.contypid <> 0 and ${RELATIONS}`

/**
 * Reads unique indexes on plain columns of all rows, with or without a constraint, and foreign keys, except
 * NOT VALID ones, which rows may violate, and their copies for each partition. `conkey` and `confkey` are arrays
 * of the same length.
 */
const KEYS = `select n.nspname as table_schema, c.relname as table_name, a.attname as column_name,
  p.place as ordinal_position, x.relname as constraint_name,
  case when i.indisprimary then 'PRIMARY KEY' else 'UNIQUE' end as constraint_type,
  null as referenced_schema, null as referenced_table, null as referenced_column
from pg_catalog.pg_index i
join pg_catalog.pg_class x on x.oid = i.indexrelid
join pg_catalog.pg_class c on c.oid = i.indrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral generate_series(1, i.indnkeyatts) as p (place)
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[p.place - 1]
where i.indisunique and i.indisvalid and not i.indisexclusion and i.indpred is null and i.indexprs is null
  and ${RELATIONS}
union all
select n.nspname, c.relname, a.attname, p.place, k.conname, 'FOREIGN KEY', fn.nspname, f.relname, fa.attname
from pg_catalog.pg_constraint k
join pg_catalog.pg_class c on c.oid = k.conrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
cross join lateral generate_series(1, cardinality(k.conkey)) as p (place)
join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[p.place]
join pg_catalog.pg_class f on f.oid = k.confrelid
join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
join pg_catalog.pg_attribute fa on fa.attrelid = f.oid and fa.attnum = k.confkey[p.place]
where k.contype = 'f' and k.conparentid = 0 and k.convalidated and ${RELATIONS}`

/** Returns the statements that describe a schema, for other clients. The catalog itself uses `queries.ts`. */
export function statements({ schema }: SchemaPlace): readonly Statement[] {
  return [
    { name: 'tables', text: TABLES, values: [schema] },
    { name: 'columns', text: COLUMNS, values: [schema] },
    { name: 'keys', text: KEYS, values: [schema, schema] },
    { name: 'checks', text: CHECKS, values: [schema, schema] },
  ]
}
