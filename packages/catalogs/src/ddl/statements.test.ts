import type { CatalogTable, DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

function read(sql: string, dialect?: DialectName): CatalogTable | undefined {
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
  expect(faults).toEqual([])
  return tables[0]
}

test('reads the labels of an enum type as values', () => {
  const table = read(
    `create type shop.mood as enum ('ok', 'it''s complicated'); create type other as (a int);
     create table shop.t (a shop.mood, b mood, c shop.mood[], d shop.missing)`,
    'postgres',
  )
  const values = ['ok', "it's complicated"]
  expect(table?.columns).toEqual([
    { name: 'a', type: 'shop.mood', values },
    { name: 'b', type: 'mood', values },
    { name: 'c', type: 'shop.mood[]' },
    { name: 'd', type: 'shop.missing' },
  ])
})

test('reads a domain as its base type', () => {
  const table = read(
    `create domain code as varchar(3) not null constraint c check (value in ('a', 'b')); create table t (a code, b int)`,
    'postgres',
  )
  expect(table?.columns[0]).toEqual({ name: 'a', type: 'varchar(3)', nullable: false, values: ['a', 'b'] })
})

test.each<[string, readonly (readonly string[])[] | undefined, DialectName?]>([
  ['create unique index on t (b, a)', [['b', 'a']]],
  [
    'create unique index concurrently if not exists "u x" on only public.t using btree (b desc nulls last, a text_pattern_ops) include (c)',
    [['b', 'a']],
    'postgres',
  ],
  [
    'CREATE UNIQUE NONCLUSTERED INDEX [u] ON [t] ([b] ASC, [a] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY]',
    [['b', 'a']],
    'sqlserver',
  ],
  ['create unique index u on t (b(10))', [['b']], 'mysql'],
  ['create unique index u on t (lower(b))', undefined],
  ['create unique index u on t ((a + b))', undefined],
  ['create unique index u on t (a) where b is null', undefined],
  ['create index u on t (a)', undefined],
])('reads a unique index on plain columns: %s', (statement, uniqueKeys, dialect) => {
  expect(read(`create table t (a int, b int, c int); ${statement}`, dialect)?.uniqueKeys).toEqual(uniqueKeys)
})

test.each<[string, string | undefined, DialectName?]>([
  ["comment on table t is 'it''s'", "it's"],
  ["comment on table public.t is E'two\\nlines'", 'two\nlines', 'postgres'],
  ['comment on table t is null', undefined],
  ["comment if exists on table t is 'x'", 'x', 'snowflake'],
  ["comment on view t is 'x'", 'x'],
  ["comment on function t(int) is 'x'", undefined],
])('reads a comment on the table: %s', (statement, comment, dialect) => {
  expect(read(`create table t (a int); ${statement}`, dialect)?.comment).toBe(comment)
})

test.each([
  `comment on column t."A b" is 'x'`,
  `comment on column public.t."A b" is 'x'`,
  `comment on column raw.public.t."A b" is 'x'`,
])('reads a comment on a column: %s', (statement) => {
  expect(read(`create table t ("A b" int); ${statement}`)?.columns[0]?.comment).toBe('x')
})

test('reads the descriptions of SQL Server', () => {
  const describe = (more: string): string =>
    `EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'it''s' , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N't'${more}\nGO\n`
  const made = 'create table [dbo].[t] ([a] [int])\nGO\n'
  const ofTable = read(made + describe(''), 'sqlserver')
  expect([ofTable?.comment, ofTable?.columns[0]?.comment]).toEqual(["it's", undefined])
  const ofColumn = read(made + describe(`, @level2type=N'COLUMN',@level2name=N'a'`), 'sqlserver')
  expect([ofColumn?.comment, ofColumn?.columns[0]?.comment]).toEqual([undefined, "it's"])
  const ofKey = read(made + describe(`, @level2type=N'CONSTRAINT',@level2name=N'a'`), 'sqlserver')
  expect([ofKey?.comment, ofKey?.columns[0]?.comment]).toEqual([undefined, undefined])
})

test('skips statements that are not about tables', () => {
  const sql = `begin; set client_encoding = 'UTF8'; select setval('a', 1); grant all on t to me;
    create publication p for table t; create sequence s; create extension if not exists x; create index i on t (a); analyze t;
    lock tables t write; update t set a = 1; delete from t; merge into t using u on 1 = 1; commit;`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: undefined })).toEqual({ tables: [], faults: [] })
})

test('reports where a file cannot be split into statements', () => {
  const { faults } = readSchema(
    [{ name: 'a.sql', sql: "create table t (a int);\ninsert into t values ('it" }],
    { dialect: 'postgres' },
  )
  expect(faults).toEqual([
    { path: 'a.sql', expected: "a closing '", received: 'the end of the file', line: 2 },
  ])
})

test.each([
  ["exec sp_rename 'dbo.old', 'new'", { name: 'new', columns: ['a', 'b'] }],
  ["EXECUTE sys.sp_rename N'[dbo].[old].[a]', N'z', N'COLUMN'", { name: 'old', columns: ['z', 'b'] }],
  [
    "exec sp_rename @objname = 'dbo.old.b', @newname = 'c d', @objtype = 'COLUMN'",
    { name: 'old', columns: ['a', 'c d'] },
  ],
])('renames like SQL Server: %s', (call, expected) => {
  const table = read(`create table dbo.old (a int, b int)\nGO\n${call}\nGO`, 'sqlserver')
  expect({ name: table?.name, columns: table?.columns.map(({ name }) => name) }).toEqual(expected)
})

test('replaces sqlcmd variables with their values', () => {
  const sql = `:setvar Schema "sales data"\r\n:SETVAR Prefix crm\n:setvar Gone x\n:setvar Gone
create table [$(Schema)].[$(prefix)_orders] (id int, note varchar(9) default '$(Gone)')
GO
:setvar Schema later
create table $(Schema).t (id int)
GO`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlserver' })
  expect(faults).toEqual([])
  expect(tables.map(({ name, schema }) => [schema, name])).toEqual([
    ['sales data', 'crm_orders'],
    ['later', 't'],
  ])
})

test.each([
  '{{ schema }}',
  '{{ target("raw").schema }}',
  '${schema}',
  '#{schema}',
  '{schema}',
  'raw_{env}',
  '<schema>',
  '<%= schema %>',
  '%schema%',
  '%(schema)s',
  ':schema',
  '@schema',
  '&schema.',
  '$(schema)',
])('a placeholder leaves the schema open, and is reported once: %s', (placeholder) => {
  const sql = `create table ${placeholder}.t (a int);\nalter table ${placeholder}.t add primary key (a);`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(tables).toEqual([
    { kind: 'table', name: 't', columns: [{ name: 'a', type: 'int', nullable: false }], primaryKey: ['a'] },
  ])
  const written = placeholder === '&schema.' ? '&schema' : placeholder
  expect(faults.map(({ received }) => received.replace(/ in create table.*/, ''))).toEqual([
    `${written}, a placeholder without a value,`,
  ])
})

test.each(['<table>', 'raw.<table>', 't_{{ env }}', '{prefix}t', 'identifier(:name)'])(
  'a table whose name is a placeholder is skipped with one warning: %s',
  (placeholder) => {
    const sql = `create table ${placeholder} (a int); create table b (a int);`
    const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'snowflake' })
    expect(tables.map(({ name }) => name)).toEqual(['B'])
    expect(faults).toMatchObject([{ expected: 'a name', line: 1 }])
    expect(faults[0]?.received).toContain(`${placeholder}, a placeholder without a value,`)
  },
)

test('skips commands of SQL*Plus', () => {
  const sql = `rem it's the schema; create table ghost (a int);
SET FEEDBACK 1
REM we can't say it better
Prompt ******  Creating the customer's table ....
CREATE TABLE customers (id INTEGER NOT NULL, rem VARCHAR2(9), prompt
  VARCHAR2(9));
@@more.sql
whenever sqlerror exit
remark don't
create table orders (
  id number,
  rem date
);
spool off`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: undefined })
  expect(faults).toEqual([])
  expect(tables.map(({ columns, name }) => [name, columns.map((column) => column.name)])).toEqual([
    ['customers', ['id', 'rem', 'prompt']],
    ['orders', ['id', 'rem']],
  ])
})

test.each<[string, DialectName, string]>([
  [
    'create view v partition by a cluster by b options (expires = 3, c = 1) as select a, b from t',
    'bigquery',
    'a,b',
  ],
  [
    "create materialized view v on cluster 'c' to t2 (x Int8, y Int8) as select a, b from t",
    'clickhouse',
    'x,y',
  ],
  ['create secure view v copy grants (x, y) as select a, b from t', 'snowflake', 'X,Y'],
  ['create view v (x, y) with (security_barrier = true) as select a, b from t', 'postgres', 'x,y'],
])('reads the columns of a view only from the brackets after its name: %s', (sql, dialect, columns) => {
  const { faults, tables } = readSchema([{ name: 'a.sql', sql: `create table t (a int, b int); ${sql}` }], {
    dialect,
  })
  expect(faults).toEqual([])
  const view = tables.find(({ kind }) => kind === 'view')
  expect(view?.columns.map(({ name }) => name).join(',')).toBe(columns)
})

test('reads comments on views and their columns among the options of BigQuery', () => {
  const sql = `create table t (a int64, b int64);
    create view v (x options (description = "of x"), y) options (description = "of v") as select a, b from t`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'bigquery' })
  expect(tables.find(({ kind }) => kind === 'view')).toEqual({
    kind: 'view',
    name: 'v',
    comment: 'of v',
    columns: [
      { name: 'x', type: 'int64', comment: 'of x' },
      { name: 'y', type: 'int64' },
    ],
  })
})

test("changes and drops Snowflake's kinds of tables", () => {
  const sql = `create dynamic table a (x int) target_lag = '1 day' warehouse = w as select 1;
alter dynamic table a rename to b; create iceberg table c (x int); drop iceberg table c;`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'snowflake' })
  expect(tables.map(({ name }) => name)).toEqual(['B'])
})

test.each<[string, string]>([
  ['create x (id int, b text)', 'a.sql, line 2: "x" in create x'],
  ['create tabel t (id int, b text)', 'a.sql, line 2: "tabel" in create tabel t'],
  ['create tabel shop.t (id int not null)', 'a.sql, line 2: "tabel" in create tabel shop.t'],
  ['craete table t (id int)', 'a.sql, line 2: "craete" in craete table t'],
  ['CREAT TABLE t (id int)', 'a.sql, line 2: "CREAT" in CREAT TABLE t'],
  ['altr table known add b int', 'a.sql, line 2: "altr" in altr table known add b int'],
  ["coment on table known is 'x'", `a.sql, line 2: "coment" in coment on table known is 'x'`],
  ['renam table known to other', 'a.sql, line 2: "renam" in renam table known to other'],
])('warns about %s, which looks like a definition', (statement, expected) => {
  const sql = `create table known (a int);\n${statement};\ncreate table last (a int)`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'mysql' })
  expect(faults.map(({ line, path, received }) => `${path}, line ${line}: ${received}`)).toEqual([expected])
  expect(tables.map(({ name }) => name)).toEqual(['known', 'last'])
})

test.each([
  'create index i on t (a, b)',
  'create function f(a int, b int) returns int return a',
  'create procedure p(in a int, out b int) select 1',
  'create role r',
  'create secret s (type s3, provider chain)',
  'create row access policy p as (a varchar) returns boolean -> true',
  'create publication p for table t (a, b)',
  "create server s foreign data wrapper w options (host 'x', port '1')",
  'create stage s file_format = (type = csv)',
  'commit',
  'cache table t',
  'alert a',
  'release savepoint a',
  'insert into t (a, b) values (1, 2)',
])('does not warn about %s', (statement) => {
  const sql = `create table t (a int, b int); ${statement};`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: undefined }).faults).toEqual([])
})

test.each<[string, string, DialectName?]>([
  [
    'a block of PL/SQL',
    `begin execute immediate 'create table t (a number, b varchar2(9) default ''x'', primary key (a))';
     exception when others then if sqlcode = -955 then null; else raise; end if; end;
     /`,
  ],
  ['a call', `exec('create table t (a int, b varchar(9) default ''x'', primary key (a))')`, 'sqlserver'],
  [
    'sp_executesql',
    `exec sys.sp_executesql @stmt = N'create table t (a int primary key, b int)'`,
    'sqlserver',
  ],
  ['a condition', `if object_id('t', 'U') is null create table t (a int primary key, b int)`, 'sqlserver'],
  [
    'a condition with a block',
    `if 1 = 1 begin create table t (a int primary key, b int) end else print 'no'`,
    'sqlserver',
  ],
  [
    'a block of PL/pgSQL',
    `do $$ begin execute 'create table t (a int primary key, b int)'; end $$;`,
    'postgres',
  ],
  ['a script of Snowflake', 'execute immediate $$ create table t (a int primary key, b int) $$', 'snowflake'],
])('reads what runs in %s', (_, sql, dialect) => {
  const table = read(sql, dialect)
  expect(table?.primaryKey?.map((name) => name.toLowerCase())).toEqual(['a'])
  expect(table?.columns.map(({ name }) => name.toLowerCase())).toEqual(['a', 'b'])
})

test('does not guess texts that are put together', () => {
  const sql = `create table t (a int);
    begin execute immediate 'create table u (a int, ' || more || ')'; end;
    /
    exec('create table ' + @name + ' (a int)')`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: undefined }).tables.map(({ name }) => name)).toEqual(
    ['t'],
  )
})

test('a block in another language does not hide the rest of the file', () => {
  const sql = `create table t (a int); do language plpython3u $$ x = "it's" $$; create table u (a int);`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(tables.map(({ name }) => name)).toEqual(['t', 'u'])
})

test('comments without a terminator begin on a new line', () => {
  const table = read(`create table t (a number, b number) tablespace x
    comment on column t.a is 'first'
    comment on table t is 'all'
    alter table t add primary key (a)`)
  expect(table).toMatchObject({ comment: 'all', primaryKey: ['a'], columns: [{ comment: 'first' }, {}] })
})

test('reads types and keys among the columns of a materialized view', () => {
  const sql = `create table t (id bigint, name string);
    create materialized view v (id bigint comment 'i', n string not null, primary key (id)) schedule every 1 hour
      as select id, name from t`
  expect(readSchema([{ name: 'a.sql', sql }], { dialect: 'databricks' }).tables[1]).toMatchObject({
    primaryKey: ['id'],
    columns: [
      { name: 'id', type: 'bigint', comment: 'i' },
      { name: 'n', type: 'string', nullable: false },
    ],
  })
})
