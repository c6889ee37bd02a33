// These queries use pg_catalog, not information_schema, which shows only what the user owns, without comments, enum
// labels, materialized views and the order of composite keys. For PostgreSQL 12 or later.

/**
 * Ordinary, partitioned and foreign tables, views and materialized views; partitions are excluded, because
 * they are read through their table.
 */
const RELATIONS = `c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition`

/** $1: schemas; $2: tables, or null for all. */
const IN_SCOPE = `${RELATIONS} and n.nspname = any ($1::text[]) and ($2::text[] is null or c.relname = any ($2::text[]))`

/**
 * The type of a column, and the types below it if it is a domain: a domain may be based on another one. The last is
 * the type in which the column is stored; the domains before it may forbid null.
 */
export const TYPES_OF_COLUMN = `
  with recursive types (oid, modifier, required, kind, next, next_modifier) as (
    select y.oid, a.atttypmod, y.typnotnull, y.typtype, y.typbasetype, y.typtypmod
    from pg_catalog.pg_type y where y.oid = a.atttypid
    union all
    select y.oid, d.next_modifier, y.typnotnull, y.typtype, y.typbasetype, y.typtypmod
    from types d join pg_catalog.pg_type y on y.oid = d.next where d.kind = 'd'
  )`

/** Returns an array of the names of columns, in the order of their numbers. */
function columnNames(table: string, numbers: string): string {
  return `array(
    select k.attname::text from unnest(${numbers}) with ordinality p (number, place)
    join pg_attribute k on k.attrelid = ${table} and k.attnum = p.number order by p.place)`
}

export const PLACE = `
  select current_database()::text as "database", current_schema()::text as "defaultSchema",
    (select json_agg(json_build_object('name', nspname,
       'isSystem', nspname = 'information_schema' or nspname like 'pg\\_%') order by nspname)
     from pg_namespace) as "schemas"`

export const NAMES = `
  select n.nspname::text as "schema", c.relname::text as "table"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${RELATIONS} and n.nspname = any ($1::text[])`

export const TABLES = `
  select n.nspname::text as "schema", c.relname::text as "table",
    case when c.relkind in ('v', 'm') then 'view' when c.relkind = 'f' then 'external' else 'table' end as "kind",
    obj_description(c.oid, 'pg_class') as "comment",
    case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as "partitionKey"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${IN_SCOPE}`

/**
 * Reads columns. Labels are left out for a domain over an enum, because its values cannot be compared with texts
 * ("operator does not exist"). PostgreSQL 18 marks a column with a NOT NULL constraint even if its rows were never
 * checked.
 */
export const COLUMNS = `
  select n.nspname::text as "schema", c.relname::text as "table", a.attname::text as "name",
    format_type(t.oid, t.modifier) as "type",
    not t.required and (not a.attnotnull or exists (
      select from pg_constraint u
      where u.conrelid = c.oid and u.contype = 'n' and not u.convalidated and u.conkey = array[a.attnum]
    )) as "nullable",
    case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as "default",
    col_description(c.oid, a.attnum) as "comment",
    (select array_agg(e.enumlabel::text order by e.enumsortorder)
     from pg_enum e where e.enumtypid = a.atttypid) as "values"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join lateral (${TYPES_OF_COLUMN}
      select s.oid, s.modifier, (select bool_or(required) from types) as required from types s where s.kind <> 'd') t
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where ${IN_SCOPE}
  order by c.oid, a.attnum`

/** Reads unique indexes on plain columns of all rows, with or without a constraint. */
export const KEYS = `
  select n.nspname::text as "schema", c.relname::text as "table",
    case when i.indisprimary then 'primary' else 'unique' end as "kind",
    ${columnNames('c.oid', '(i.indkey::int2[])[0:i.indnkeyatts - 1]')} as "columns"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_index i on i.indrelid = c.oid join pg_class x on x.oid = i.indexrelid
  where ${IN_SCOPE} and i.indisunique and i.indisvalid and not i.indisexclusion
    and i.indpred is null and i.indexprs is null
  order by c.oid, x.relname`

/** Reads foreign keys, except NOT VALID ones, which rows may violate, and their copies for each partition. */
export const FOREIGN_KEYS = `
  select n.nspname::text as "schema", c.relname::text as "table",
    ${columnNames('f.conrelid', 'f.conkey')} as "columns",
    json_build_object('schema', rn.nspname, 'table', r.relname,
      'columns', ${columnNames('f.confrelid', 'f.confkey')}) as "references"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_constraint f on f.conrelid = c.oid and f.contype = 'f' and f.conparentid = 0 and f.convalidated
    join pg_class r on r.oid = f.confrelid join pg_namespace rn on rn.oid = r.relnamespace
  where ${IN_SCOPE}
  order by c.oid, f.conname`

/** Reads checks of one column: its own, and the checks of its domain, where the column is called VALUE. */
export const CHECKS = `
  select n.nspname::text as "schema", c.relname::text as "table",
    pg_get_expr(k.conbin, k.conrelid) as "expression", null as "column"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_constraint k on k.conrelid = c.oid and k.contype = 'c' and k.convalidated and cardinality(k.conkey) = 1
  where ${IN_SCOPE}
  union all
  select n.nspname::text, c.relname::text, pg_get_expr(k.conbin, 0), a.attname::text
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    cross join lateral (${TYPES_OF_COLUMN} select oid from types where kind = 'd') t
    join pg_constraint k on k.contypid = t.oid and k.contype = 'c' and k.convalidated
  where ${IN_SCOPE}`

/** A row has a padded header of 23 bytes and a pointer of 4 bytes. */
const LEAST_BYTES_OF_A_ROW = 28

/**
 * Reads sizes from the parts of a table that hold rows: the table itself, or its partitions. Like the
 * planner, it estimates rows from the rows per page at the last ANALYZE or VACUUM. The rows of a table
 * without such a count are unknown, and so are the changes of a table with children; of a table with foreign
 * partitions, both are.
 */
export const SIZES = `
  select n.nspname::text as "schema", c.relname::text as "table",
    case when bool_and(p.reltuples >= 0 and p.relkind <> 'f') then sum(
      case when p.relpages = 0 then p.reltuples
      else p.reltuples / p.relpages * (pg_relation_size(p.oid) / current_setting('block_size')::integer) end)
    end::float8 as "rows",
    case when bool_and(p.relkind <> 'f') then sum(pg_relation_size(p.oid) / ${LEAST_BYTES_OF_A_ROW})::float8 end as "mostRows",
    sum(pg_table_size(p.oid))::float8 as "bytes",
    case when bool_and(p.relkind <> 'f') and not (c.relkind = 'r' and c.relhassubclass)
      and current_setting('track_counts')::boolean
    then string_agg(concat_ws(' ', p.oid, p.relfilenode, pg_relation_size(p.oid), s.n_tup_ins, s.n_tup_upd, s.n_tup_del,
      (select extract(epoch from stats_reset) from pg_stat_database where datname = current_database())), ', ' order by p.oid)
    end as "version"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
    cross join lateral (
      select c.oid where c.relkind in ('r', 'm')
      union all
      select relid from pg_partition_tree(c.oid) where isleaf and c.relkind = 'p'
    ) part (id)
    join pg_class p on p.oid = part.id left join pg_stat_all_tables s on s.relid = p.oid
  where ${IN_SCOPE}
  group by n.nspname, c.relname, c.relkind, c.relhassubclass`
