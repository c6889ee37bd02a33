// These queries use pragmas as functions, joined to the list of tables. :tables is a JSON list of names, or
// null for all.

/** Excludes shadow tables, which belong to a virtual table, and the tables of SQLite, sqlite_…. */
const RELATIONS = `l.schema = 'main' and l.type in ('table', 'virtual', 'view') and l.name not like 'sqlite\\_%' escape '\\'`

const IN_SCOPE = `${RELATIONS} and (:tables is null or l.name in (select value from json_each(:tables)))`

/** Checks that the file is readable, because opening does not read it. */
export const PLACE = 'select count(*) from sqlite_schema'

export const NAMES = `select 'main' as "schema", l.name as "table" from pragma_table_list l where ${RELATIONS}`

export const TABLES = `
  select 'main' as "schema", l.name as "table", case l.type when 'view' then 'view' else 'table' end as "kind",
    s.sql as "sql"
  from pragma_table_list l join sqlite_schema s on s.name = l.name and s.type in ('table', 'view') where ${IN_SCOPE}`

/**
 * Reads columns, including generated ones, but without hidden ones of virtual tables. An alias of the rowid
 * is never null.
 */
export const columns = (type: 'view' | 'table'): string => `
  select 'main' as "schema", l.name as "table", c.name as "name", c.type as "type", c.dflt_value as "default",
    c."notnull" = 0 and not (
      c.pk = 1 and upper(c.type) = 'INTEGER'
      and not exists (select 1 from pragma_table_xinfo(l.name) k where k.pk > 1)
      and not exists (select 1 from pragma_index_list(l.name) i where i.origin = 'pk')
    ) as "nullable"
  from pragma_table_list l join pragma_table_xinfo(l.name) c
  where ${IN_SCOPE} and l.type ${type === 'view' ? '=' : '<>'} 'view' and c.hidden <> 1
  order by l.name, c.cid`

export const PRIMARY_KEYS = `
  select 'main' as "schema", l.name as "table", '' as "key", 'primary' as "kind", c.name as "column"
  from pragma_table_list l join pragma_table_xinfo(l.name) c
  where ${IN_SCOPE} and l.type <> 'view' and c.pk > 0
  order by l.name, c.pk`

/** Reads unique keys. A column without a name is an expression. */
export const UNIQUE_KEYS = `
  select 'main' as "schema", l.name as "table", i.name as "key", 'unique' as "kind", c.name as "column"
  from pragma_table_list l join pragma_index_list(l.name) i join pragma_index_info(i.name) c
  where ${IN_SCOPE} and l.type <> 'view' and i."unique" and not i.partial and i.origin <> 'pk'
  order by l.name, i.seq desc, c.seqno`

/**
 * Reads foreign keys. The pragma returns names as written, which may differ in case, and no column for a
 * reference to the primary key.
 */
export const FOREIGN_KEYS = `
  select 'main' as "schema", l.name as "table", f.id as "key", f."from" as "column",
    'main' as "toSchema", coalesce(t.name, f."table") as "toTable",
    (select c.name from pragma_table_xinfo(f."table") c
     where c.name = f."to" collate nocase or f."to" is null and c.pk = f.seq + 1) as "toColumn"
  from pragma_table_list l join pragma_foreign_key_list(l.name) f
    left join pragma_table_list t on t.schema = 'main' and t.name = f."table" collate nocase
  where ${IN_SCOPE}
  order by l.name, f.id desc, f.seq`

/** Reads the tables with rowids. The range of rowids limits the number of rows. */
export const NUMBERED = `
  select l.name as "table" from pragma_table_list l where ${IN_SCOPE} and l.type = 'table' and l.wr = 0`

/** Reads sizes from every page, without reading rows. */
export const BYTES = `
  select name as "table", sum(pgsize) as "bytes" from dbstat
  where name in (select value from json_each(:tables)) group by name`
