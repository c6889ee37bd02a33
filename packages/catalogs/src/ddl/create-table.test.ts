import type { CatalogTable, DialectName, ForeignKey } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { readSchema } from './read-schema.ts'

function read(sql: string, dialect?: DialectName): readonly CatalogTable[] {
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
  expect(faults).toEqual([])
  return tables
}

const column = (definition: string, dialect?: DialectName): CatalogTable['columns'][number] | undefined =>
  read(`create table t (${definition})`, dialect)[0]?.columns[0]

const fault = (sql: string, dialect?: DialectName): string | undefined => {
  const [first] = readSchema([{ name: 'a.sql', sql }], { dialect }).faults
  return first && `${first.line}: expected ${first.expected}, got ${first.received}`
}

const A_TO_P: ForeignKey = { columns: ['P'], references: { table: { name: 'P' }, columns: ['ID'] } }

describe('a name', () => {
  test.each<[string, DialectName | undefined, readonly (string | undefined)[]]>([
    ['Orders', undefined, [undefined, undefined, 'Orders']],
    ['Shop.Orders', 'postgres', [undefined, 'shop', 'orders']],
    ['"Shop"."Orders"', 'postgres', [undefined, 'Shop', 'Orders']],
    ['raw.Shop.Orders', 'snowflake', ['RAW', 'SHOP', 'ORDERS']],
    ['raw..orders', 'sqlserver', ['raw', undefined, 'orders']],
    ['[a.b].[c d]', 'sqlserver', [undefined, 'a.b', 'c d']],
    ['`my-project.shop.orders`', 'bigquery', ['my-project', 'shop', 'orders']],
    ['my-project.shop.orders', 'bigquery', ['my-project', 'shop', 'orders']],
    ['`a.b`', 'mysql', [undefined, undefined, 'a.b']],
    ["'orders'", 'sqlite', [undefined, undefined, 'orders']],
    ['größe', 'duckdb', [undefined, undefined, 'größe']],
    [`identifier('raw."Shop".orders')`, 'snowflake', ['RAW', 'Shop', 'ORDERS']],
    ['identifier', 'snowflake', [undefined, undefined, 'IDENTIFIER']],
  ])('%s of %s has the right stored form', (name, dialect, place) => {
    const [table] = read(`create table ${name} (id int)`, dialect)
    expect([table?.database, table?.schema, table?.name]).toEqual(place)
  })

  test('of a column folds like that of a table', () => {
    expect(column('Id int', 'snowflake')?.name).toBe('ID')
    expect(column('"Id" int', 'snowflake')?.name).toBe('Id')
    expect(column('`select` int', 'mysql')?.name).toBe('select')
    expect(column('2fa_enabled boolean', 'athena')?.name).toBe('2fa_enabled')
  })
})

describe('a type', () => {
  test.each<[string, string, DialectName?]>([
    ['numeric(12, 2)', 'numeric(12, 2)'],
    ['character  varying\n(20)', 'character varying (20)'],
    ['double precision', 'double precision'],
    ['timestamp(3) with time zone', 'timestamp(3) with time zone'],
    ['timestamp with local time zone', 'timestamp with local time zone'],
    ['interval day to second(3)', 'interval day to second(3)'],
    ['int[]', 'int[]'],
    ['int array', 'int array'],
    ['integer[3][]', 'integer[3][]'],
    ['public.mood', 'public.mood'],
    ['"Mood"', '"Mood"'],
    ['[dbo].[Flag]', 'dbo.Flag'],
    ['[decimal](18, 2)', 'decimal(18, 2)'],
    ['bigint unsigned zerofill', 'bigint unsigned zerofill'],
    ['varchar(20) binary', 'varchar(20)', 'mysql'],
    ['tinytext binary', 'tinytext', 'mysql'],
    ['binary(16)', 'binary(16)', 'mysql'],
    ['binary varying(8)', 'binary varying(8)'],
    ['varchar(10) character set utf8mb4 collate utf8mb4_bin', 'varchar(10)'],
    ['struct<a: int, b: array<string>>', 'struct<a: int, b: array<string>>'],
    ["struct<\n  a int64 options(description='x, y'),\n  b string\n>", 'struct<a int64, b string>'],
    ["struct<a: int comment 'x', b: int>", 'struct<a: int, b: int>'],
    ['row(a bigint, "b c" varchar(5))', 'row(a bigint, "b c" varchar(5))'],
    ["enum('a', 'b''c')", "enum('a', 'b''c')"],
    ['Nullable(DateTime64(3))', 'Nullable(DateTime64(3))'],
    ['unsigned big int', 'unsigned big int', 'sqlite'],
    ['my own type', 'my own type', 'sqlite'],
    ['year', 'year'],
  ])('%s is printed on one line', (type, printed, dialect) => {
    expect(column(`c ${type} not null`, dialect)).toMatchObject({ name: 'c', type: printed, nullable: false })
  })

  test('may be missing in SQLite, and for generated columns', () => {
    expect(column('a', 'sqlite')).toEqual({ name: 'a', type: 'any' })
    expect(column('a not null')).toEqual({ name: 'a', type: 'unknown', nullable: false })
    expect(column('a as (1 + 1) persisted', 'sqlserver')).toEqual({ name: 'a', type: 'unknown' })
  })
})

describe('a clause', () => {
  test.each<[string, Partial<CatalogTable['columns'][number]>, DialectName?]>([
    ["text default 'a, b' not null", { default: "'a, b'", nullable: false }],
    ['int default (1 + 2) check (c > 0)', { default: '(1 + 2)' }],
    ['text default \'x\'::character varying collate "C"', { default: "'x'::character varying" }],
    [
      "bigint default nextval('s'::regclass) not null",
      { default: "nextval('s'::regclass)", nullable: false },
    ],
    ['timestamp default current_timestamp on update current_timestamp', { default: 'current_timestamp' }],
    [
      "timestamptz default '1970-01-01'::timestamp with time zone not null",
      { default: "'1970-01-01'::timestamp with time zone", nullable: false },
    ],
    ["time default time without time zone '12:00' unique", { default: "time without time zone '12:00'" }],
    ['int default null', {}],
    ["text comment 'it''s'", { comment: "it's" }],
    ['text comment = "x"', { comment: 'x' }],
    ['int64 options(description="x", other=1)', { comment: 'x' }],
    ['int generated always as identity (start with 1)', { nullable: false }],
    ['int generated by default on null as identity', { nullable: false }],
    ['numeric generated always as (a * b) stored', {}],
    ['int identity(1,1) not for replication not null', { nullable: false }],
    ['int identity start 1 increment 1', {}, 'snowflake'],
    ['bigserial', { nullable: false }],
    ["varchar(10) with masking policy p using (c, d) with tag (t='x')", {}],
    ['int encode az64 distkey sortkey', {}],
    ['string codec(ZSTD(1)) ttl d + interval 1 day', {}],
    ['datetime constraint df default (getdate()) not null', { default: '(getdate())', nullable: false }],
    ["char(1) check (c in ('y', 'n'))", { values: ['y', 'n'] }],
    ["char(1) check (c in ('y', 'n')) not enforced", {}],
    ['int constraint positive check (c > 0) deferrable initially deferred', {}],
    ['longtext check (json_valid(`c`))', { type: 'json' }, 'mysql'],
    ["enum('a','b')", { values: ['a', 'b'] }, 'mysql'],
    ['mariadb_schema.date', { type: 'date' }, 'mysql'],
    ['`mariadb_schema`.timestamp(3)', { type: 'timestamp(3)' }, 'mysql'],
    ['pg_catalog.varchar(3)[]', { type: 'varchar(3)[]' }, 'postgres'],
    ['PG_CATALOG.int4', { type: 'int4' }],
    ['[sys].[hierarchyid]', { type: 'hierarchyid' }, 'sqlserver'],
    ['other.date', { type: 'other.date' }, 'mysql'],
    ['text storage external compression lz4', {}],
    ["varbinary(max) masked with (function = 'default()') null", {}],
  ])('is read: %s', (definition, facts, dialect) => {
    expect(column(`c ${definition}`, dialect)).toEqual({
      name: dialect === 'snowflake' ? 'C' : 'c',
      type: expect.any(String) as string,
      ...facts,
    })
  })

  test.each([
    ['int frobnicate', 'got "frobnicate" in create table t'],
    ['int 5', 'got "5"'],
    ['text comment 5', 'expected a text in quotes, got "5"'],
    ['int references', 'expected a name, got the end of the statement'],
  ])('that is unknown stops reading: %s', (definition, message) => {
    expect(fault(`create table t (\nc ${definition})`)).toContain(message)
  })
})

describe('a constraint', () => {
  const table = (constraint: string, dialect?: DialectName): CatalogTable | undefined =>
    read(`create table t (a int, b int, c text, ${constraint})`, dialect)[0]

  test.each<[string, DialectName?]>([
    ['primary key (b, a)'],
    [
      'constraint "pk t" primary key clustered ([b] asc, [a] desc) with (pad_index = off) on [primary]',
      'sqlserver',
    ],
    ['primary key (`b`, `a`) using btree', 'mysql'],
    ['primary key (B, A)', 'mysql'],
    ['primary key (b, a) not enforced rely', 'snowflake'],
  ])('on the key is read: %s', (constraint, dialect) => {
    expect(table(constraint, dialect)?.primaryKey?.map((name) => name.toLowerCase())).toEqual(['b', 'a'])
  })

  test.each<[string, DialectName?]>([
    ['unique (b, a)'],
    ['constraint u unique nulls not distinct (b, a)'],
    ['unique key `u` (`b`, `a`)', 'mysql'],
    ['unique index u using hash (b(10), a)', 'mysql'],
    ['unique nonclustered (b, a)', 'sqlserver'],
  ])('on unique columns is read: %s', (constraint, dialect) => {
    expect(table(constraint, dialect)?.uniqueKeys).toEqual([['b', 'a']])
  })

  test.each<[string, DialectName?]>([
    ['foreign key (b, a) references other (y, x) on delete cascade'],
    ['constraint f foreign key f (b, a) references other (y, x) match full', 'mysql'],
  ])('on foreign keys is read: %s', (constraint, dialect) => {
    expect(table(constraint, dialect)?.foreignKeys).toEqual([
      { columns: ['b', 'a'], references: { table: { name: 'other' }, columns: ['y', 'x'] } },
    ])
  })

  test('on values is read', () => {
    expect(table("check (c in ('x', 'y'))")?.columns[2]?.values).toEqual(['x', 'y'])
    expect(table("constraint k check c in ('x', 'y')", 'clickhouse')?.columns[2]?.values).toEqual(['x', 'y'])
    expect(table("constraint k check (c = 'x') or (c = 'y')", 'clickhouse')?.columns[2]?.values).toEqual([
      'x',
      'y',
    ])
    expect(table("constraint k check (c = 'x') or a > 1", 'clickhouse')?.columns[2]?.values).toBeUndefined()
    expect(table("constraint k check ((C = 'x' or C = 'y'))", 'sqlserver')?.columns[2]?.values).toEqual([
      'x',
      'y',
    ])
  })

  test.each<[string, DialectName?]>([
    ['key k (a, b)', 'mysql'],
    ['index (a)', 'mysql'],
    ['key k ((lower(c)))', 'mysql'],
    ['fulltext key k (c)', 'mysql'],
    ['unique ((lower(c)))', 'mysql'],
    ['exclude using gist (a with =)', 'postgres'],
    ['foreign key (a) references other (x) not valid', 'postgres'],
    ['period for system_time (a, b)', 'sqlserver'],
    ['index i nonclustered (a)', 'sqlserver'],
    ['index i a type minmax granularity 4', 'clickhouse'],
    ['projection p (select a order by b)', 'clickhouse'],
    ['constraint positive assume a > 0', 'clickhouse'],
    ['constraint positive check a > 0', 'clickhouse'],
    ['constraint short check (length(c)) < 3', 'clickhouse'],
    ['unique (missing)'],
  ])('that is not about plain columns is left out: %s', (constraint, dialect) => {
    const { kind: _, name: __, ...rest } = table(constraint, dialect) ?? { name: '', columns: [] }
    expect(rest).toEqual({
      columns: [
        { name: 'a', type: 'int', ...requiredIn(dialect) },
        { name: 'b', type: 'int', ...requiredIn(dialect) },
        { name: 'c', type: 'text', ...requiredIn(dialect) },
      ],
    })
  })

  const requiredIn = (dialect: DialectName | undefined): { nullable?: false } =>
    dialect === 'clickhouse' ? { nullable: false } : {}

  test.each([
    'key varchar(20)',
    'index text',
    'index nvarchar(max)',
    'period int',
    'exclude boolean',
    'projection int',
    'key Nullable(String)',
    'comment text',
    'first int',
    'value int',
    'check UInt32',
    'unique UInt8',
    'unique decimal(10, 2) not null',
    'unique array<string>',
    "constraint string comment 'x'",
  ])('is not confused with a column: %s', (definition) => {
    expect(column(definition)?.name).toBe(definition.split(' ')[0])
  })

  test('makes the primary key NOT NULL if the engine does', () => {
    const nullable = (dialect?: DialectName): boolean | undefined =>
      read('create table t (a text primary key)', dialect)[0]?.columns[0]?.nullable
    expect([nullable(), nullable('postgres'), nullable('snowflake')]).toEqual([false, false, false])
    expect([nullable('sqlite'), nullable('bigquery')]).toEqual([undefined, undefined])
    expect(column('a integer primary key', 'sqlite')?.nullable).toBe(false)
  })

  test('needs no comma before it in SQL Server', () => {
    const [t] = read(
      `create table t (a int not null, b int not null, c int not null
         constraint pk_t primary key nonclustered (a asc, b desc) with (pad_index = off) on [primary]
         constraint uq_t unique (c)
         constraint fk_t foreign key (b, c) references other (x, y))`,
      'sqlserver',
    )
    expect(t).toMatchObject({
      columns: [{ name: 'a' }, { name: 'b' }, { name: 'c', type: 'int', nullable: false }],
      primaryKey: ['a', 'b'],
      uniqueKeys: [['c']],
      foreignKeys: [{ columns: ['b', 'c'], references: { table: { name: 'other' }, columns: ['x', 'y'] } }],
    })
  })

  test('of a type has the meaning of the dialect', () => {
    expect(column('a serial', 'postgres')?.nullable).toBe(false)
    expect(column('a serial', 'sqlite')?.nullable).toBeUndefined()
    expect(column('a Int8 null', 'clickhouse')).toEqual({ name: 'a', type: 'Nullable(Int8)' })
    expect(column('a Int8 not null', 'clickhouse')).toEqual({ name: 'a', type: 'Int8', nullable: false })
    expect(column('a char(3) byte', 'mysql')?.type).toBe('char(3) byte')
  })

  test('without columns refers to the primary key of the other table', () => {
    const [child] = read(
      'create table child (p int references parent); create table parent (id int primary key)',
    )
    expect(child?.foreignKeys).toEqual([
      { columns: ['p'], references: { table: { name: 'parent' }, columns: ['id'] } },
    ])
    expect(read('create table child (p int references elsewhere)')[0]?.foreignKeys).toBeUndefined()
  })
})

describe('a table', () => {
  test.each<[string, DialectName, string, readonly string[]]>([
    ['of a query', 'clickhouse', 'create table t as s.a engine = Log', ['x', 'y']],
    [
      'on a cluster',
      'clickhouse',
      "create table t on cluster 'c' as a engine = Distributed(c, s, a)",
      ['x', 'y'],
    ],
    ['cloned', 'clickhouse', 'create table t clone as s.a', ['x', 'y']],
    ['copied', 'bigquery', 'create table s.t copy s.a', ['x', 'y']],
    [
      'that inherits, and says a column again',
      'postgres',
      'create table t (y text, z int) inherits (s.a)',
      ['x', 'y', 'z'],
    ],
  ])('has the columns of another one: %s', (_, dialect, sql, columns) => {
    const tables = read(`create table s.a (x int, y text); ${sql}`, dialect)
    expect(tables.find(({ name }) => name === 't')?.columns.map(({ name }) => name)).toEqual(columns)
  })

  test('that inherits has the checks of the other one', () => {
    const sql = "create table a (x text check (x in ('n', 's'))); create table t (z int) inherits (a)"
    const child = read(sql, 'postgres').find(({ name }) => name === 't')
    expect(child?.columns[0]).toMatchObject({ name: 'x', values: ['n', 's'] })
  })

  test.each<[DialectName, string, Partial<CatalogTable>, string | undefined, readonly string[] | undefined]>([
    ['postgres', 'create table t (like a)', {}, undefined, undefined],
    [
      'postgres',
      'create table t (like a including all)',
      { primaryKey: ['id'], uniqueKeys: [['x']] },
      'of x',
      ['n', 's'],
    ],
    ['postgres', 'create table t (like a including all excluding indexes)', {}, 'of x', ['n', 's']],
    [
      'mysql',
      'create table t like a',
      { primaryKey: ['id'], uniqueKeys: [['x']], comment: 'of a' },
      'of x',
      ['n', 's'],
    ],
    [
      'snowflake',
      'create table t like a',
      { primaryKey: ['ID'], uniqueKeys: [['X']], foreignKeys: [A_TO_P] },
      'of x',
      ['n', 's'],
    ],
  ])('created like another is copied as in %s: %s', (...[dialect, sql, table, comment, values]) => {
    const comments =
      dialect === 'mysql'
        ? "alter table a comment = 'of a'; alter table a modify x varchar(3) unique comment 'of x';"
        : "comment on table a is 'of a'; comment on column a.x is 'of x';"
    const base = `create table p (id int primary key);
      create table a (id int primary key, x varchar(3) unique, p int references p (id)); ${comments}
      alter table a add constraint k check (x in ('n', 's'));`
    const made = read(`${base} ${sql}`, dialect).find(({ name }) => name.toLowerCase() === 't')
    const [id, x] = made?.columns ?? []
    const { comment: ofTable, foreignKeys, primaryKey, uniqueKeys } = made ?? {}
    const none = { comment: undefined, foreignKeys: undefined, primaryKey: undefined, uniqueKeys: undefined }
    expect({ comment: ofTable, foreignKeys, primaryKey, uniqueKeys }).toEqual({ ...none, ...table })
    expect([x?.comment, x?.values]).toEqual([comment, values])
    expect(id?.nullable).toBe(false)
  })

  test('created by a query, or a view, has a nullable column from a serial', () => {
    const sql = `create table a (id serial primary key); create table b (id serial, a int);
      create view v as select b.id from a left join b on b.a = a.id; create table t as select id from b`
    const tables = read(sql, 'postgres')
    expect(tables.map(({ columns, name }) => [name, columns[0]?.nullable])).toEqual([
      ['a', false],
      ['b', false],
      ['v', undefined],
      ['t', undefined],
    ])
  })

  test('keeps the grants of the one before in Snowflake', () => {
    const sql = 'create or replace table t copy grants as select 1 as x'
    expect(read(sql, 'snowflake')[0]?.columns.map(({ name }) => name)).toEqual(['X'])
  })

  test('of Snowflake may have indexes, and a column called index', () => {
    const sql =
      'create hybrid table t (id int primary key, k varchar(9), index number(3), index ik (k) include (id))'
    expect(read(sql, 'snowflake')[0]?.columns.map(({ name }) => name)).toEqual(['ID', 'K', 'INDEX'])
  })

  test('of SQLite may have its types in quotes', () => {
    const columns = read(`create table t (a "double precision", b 'date', c [int] not null)`, 'sqlite')[0]
      ?.columns
    expect(columns?.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'a double precision',
      'b date',
      'c int',
    ])
  })

  test('of Oracle may have ON NULL defaults', () => {
    const sql =
      "create table t (id number default on null s.nextval not null, b varchar2(9) default on null for insert only 'x', c date default sysdate)"
    expect(read(sql)[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id number',
      'b varchar2(9)',
      'c date',
    ])
  })
  test.each<[string, DialectName?]>([
    ['create temporary table t (a int)'],
    ['create table temp.t (a int)', 'sqlite'],
    ['create table pg_temp.t (a int)', 'postgres'],
    ['create materialized view log on t with primary key'],
    ['create table #t (a int)', 'sqlserver'],
    ['create table t partition of p for values in (1)', 'postgres'],
    ['create table sqlite_sequence(name,seq)', 'sqlite'],
    ['create table function f(x int64) returns table <a int64> as select 1', 'bigquery'],
  ])('that is temporary, or not a table, is left out: %s', (sql, dialect) => {
    expect(read(sql, dialect)).toEqual([])
  })

  test.each<[string, string, DialectName?]>([
    ['#a', 'create table "#a" (a int)', 'postgres'],
    ['#a', 'create table `#a` (a int)', 'mysql'],
    ['#a', 'create table "#a" (a int)'],
    ['sqlite_notes', 'create table sqlite_notes (a int)', 'postgres'],
  ])('of the name %s is left out unless the warehouse allows it: %s', (name, sql, dialect) => {
    expect(read(sql, dialect)).toMatchObject([{ name }])
  })

  test.each<[string, DialectName]>([
    ['create virtual table t using csv(a)', 'sqlite'],
    ["create table t using delta location 's3://a'", 'databricks'],
    ["create external table t options (format = 'CSV')", 'bigquery'],
    ['create table t using template (select x from y)', 'snowflake'],
  ])('without known columns is reported: %s', (sql, dialect) => {
    const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
    expect(tables).toEqual([])
    const expected = `the columns of ${dialect === 'snowflake' ? 'T' : 't'}, which the statement does not list`
    expect(faults).toEqual([expect.objectContaining({ path: 'a.sql', line: 1, expected })])
  })

  test.each<[string, DialectName?]>([
    ['create table t cluster by a, b as select 1', 'bigquery'],
    ['create table t backup no as select 1', 'redshift'],
    ['create view t as select * from missing'],
    ['create view t as values (1, 2)'],
  ])('with unknown columns of its query is left out with a warning: %s', (sql, dialect) => {
    const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
    expect([tables, faults.length]).toEqual([[], 1])
  })

  test.each<[string, readonly string[], DialectName?]>([
    ['create table t as select 1 as a', ['a unknown']],
    ['create table t (a, b) as select 1, 2', ['a unknown', 'b unknown']],
    [
      "create or replace dynamic table t(a, b) target_lag = '1 hour' as select 1, 2",
      ['A unknown', 'B unknown'],
      'snowflake',
    ],
    ['create view v as select * from t', ['id int', 'name varchar(9)']],
    ['create view v (x, y) as select id, 1 from t', ['x int', 'y unknown']],
    [
      'create view v as select t.*, id as "Id 2", u.id::text, cast(name as date) d from t join t u on t.id = u.id',
      ['id int', 'name varchar(9)', 'Id 2 int', 'id text', 'd date'],
    ],
    [
      'create view v as with c (k) as (select id from t) select k, (select count(*) from t) n from c',
      ['k int', 'n unknown'],
    ],
    [
      'create materialized view v as (select distinct a.id from (select id from t) a) union select 1 with no data',
      ['id int'],
    ],
    [
      'create algorithm=merge definer=`a`@`b` sql security definer view v as select `t`.`id` AS `key` from `t`',
      ['key int'],
      'mysql',
    ],
    [
      'create view v as select top (5) n = id, extract(year from name) y from t',
      ['n int', 'y unknown'],
      'sqlserver',
    ],
    [
      'create view v as select convert(varchar(10), id) a, try_convert(date, (name)) as b, (cast(id as bigint)) c from t',
      ['a varchar(10)', 'b date', 'c bigint'],
      'sqlserver',
    ],
    ['create table u as from t', ['id int', 'name varchar(9)'], 'duckdb'],
    ['create view v as from t select name', ['name varchar(9)'], 'duckdb'],
    ['create table u as table t', ['id int', 'name varchar(9)'], 'postgres'],
    ['create view v as select * except (id) from t', ['name varchar(9)'], 'bigquery'],
    ['create view v as select * from t except (select 1, 2)', ['id int', 'name varchar(9)'], 'postgres'],
    [
      'create view v as select * replace (cast(id as string) as id, upper(name) as name) from t',
      ['id string', 'name unknown'],
      'bigquery',
    ],
    [
      'create view v as select t.* exclude (id) rename (name as full_name) from t',
      ['FULL_NAME varchar(9)'],
      'snowflake',
    ],
    ['create table u parallel 4 nologging as select id from t', ['id int']],
    [
      'create view v as select cast(id as unsigned) a, cast(id as signed integer) b from t',
      ['a bigint unsigned', 'b bigint'],
      'mysql',
    ],
    ['create view v as select case when id is distinct from 1 then 2 else 3 end as c from t', ['c unknown']],
  ])('created from a query has its columns: %s', (sql, columns, dialect) => {
    const made = `create table t (id int, name varchar(9));${sql}`
    const { faults, tables } = readSchema([{ name: 'a.sql', sql: sql.includes('table t ') ? sql : made }], {
      dialect,
    })
    expect(faults).toEqual([])
    expect(tables.at(-1)?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual(columns)
  })

  test.each([
    ['create external table t (a int)', 'external'],
    ['create foreign table t (a int) server s', 'external'],
    ['create unlogged table t (a int)', 'table'],
    ['create multiset table t ,no fallback , checksum = default (a int) unique primary index (a)', 'table'],
    ['create set table t, fallback (a int)', 'table'],
    ['create cached table t (a int)', 'table'],
    ['create or replace transient table t (a int)', 'table'],
  ])('has the right kind: %s', (sql, kind) => {
    expect(read(sql)[0]?.kind).toBe(kind)
  })

  test('takes columns from another one', () => {
    const sql = (copy: string): string => `create table p (a int not null, b int); ${copy}`
    const columns = (copy: string): readonly string[] | undefined =>
      read(sql(copy))
        .find(({ name }) => name === 'c')
        ?.columns.map(({ name }) => name)
    expect(columns('create table c (x int) inherits (p)')).toEqual(['a', 'b', 'x'])
    expect(columns('create table c (like p including all, x int)')).toEqual(['a', 'b', 'x'])
    expect(columns('create table c like p')).toEqual(['a', 'b'])
    expect(columns('create table c clone p')).toEqual(['a', 'b'])
    expect(fault('create table c like p')).toContain('expected a table p before it, to copy columns from')
    expect(fault('create table c (x int) inherits (p)')).toBe(
      '1: expected a table p before it, to copy columns from, got none in create table c',
    )
  })

  test('may be replaced explicitly', () => {
    const [first, second] = ['create table t (a int);', 'create table t (b int);']
    expect(fault(first + second)).toContain('expected one definition of t')
    expect(read(`${first} drop table if exists t; ${second}`)[0]?.columns[0]?.name).toBe('b')
    expect(read(`${first} create or replace table t (b int);`)[0]?.columns[0]?.name).toBe('b')
    expect(read(`${first} create table if not exists t (b int);`)[0]?.columns[0]?.name).toBe('a')
    expect(read(`create table x.t (a int); create table y.t (a int)`)).toHaveLength(2)
  })

  test('is in the schema that the script sets', () => {
    const place = (sql: string, dialect?: DialectName): string => {
      const [table] = read(`${sql}; create table t (a int)`, dialect)
      return [table?.database, table?.schema].map((part) => part ?? '-').join('.')
    }
    expect(place('use shop', 'mysql')).toBe('-.shop')
    expect(place('use [Shop]')).toBe('Shop.-')
    expect(place('use shop', 'sqlserver')).toBe('shop.-')
    expect(place('use raw.shop', 'trino')).toBe('raw.shop')
    expect(place('use schema shop', 'databricks')).toBe('-.shop')
    expect(place('use role admin; use database raw; use schema stripe', 'snowflake')).toBe('RAW.STRIPE')
    expect(place('set search_path = "$user", shop, public', 'postgres')).toBe('-.shop')
    expect(place("set search_path to ''", 'postgres')).toBe('-.-')
    expect(place('create database raw; create schema stripe', 'snowflake')).toBe('RAW.STRIPE')
    expect(place('create schema shop', 'postgres')).toBe('-.-')
  })

  test('with an unclear definition is refused', () => {
    expect(fault('create table t frob (a int)')).toContain(
      'expected the columns of t in brackets, got "frob"',
    )
    expect(fault('create table t of some_type', 'postgres')).toContain(
      'expected the columns of t in brackets',
    )
    expect(fault('create frobnicated table t (a int)')).toContain('expected a known kind of table')
    expect(fault('create table identifier($name) (a int)', 'snowflake')).toContain('got identifier($name)')
    expect(fault('create table t (a int, b)', 'postgres')).toContain('have types, but b has none')
  })

  test('may have options before its columns, as in Snowflake', () => {
    const sql = 'create table t cluster by (a) change_tracking = true data_retention_time_in_days=1 (a int)'
    expect(read(sql, 'snowflake')[0]?.columns).toHaveLength(1)
  })

  test('may end its columns with a comma, as in BigQuery', () => {
    expect(
      read('create table t (a int64, b struct<x int64, y int64>,)', 'bigquery')[0]?.columns,
    ).toHaveLength(2)
  })

  test('may have partition columns that are not in its list', () => {
    const names = (options: string): readonly string[] | undefined =>
      read(`create table t (a int, b int) ${options}`)[0]?.columns.map(({ name }) => name)
    expect(names('partitioned by (dt string, hour int)')).toEqual(['a', 'b', 'dt', 'hour'])
    expect(names('partitioned by (b)')).toEqual(['a', 'b'])
    expect(names('partitioned by (bucket(16, a), day(b))')).toEqual(['a', 'b'])
    expect(names('using delta partitioned by (A int)')).toEqual(['a', 'b'])
  })

  test('sorts by a key in MergeTree engines, in any dialect', () => {
    const key = (engine: string): unknown =>
      read(`create table t (a int primary key) engine = ${engine}`)[0]?.primaryKey
    expect(key('ReplacingMergeTree order by a')).toBeUndefined()
    expect(key('InnoDB')).toEqual(['a'])
  })
})

// What MariaDB 10.11 has after these statements, by SHOW CREATE TABLE.
test('reads columns beside a query, as MySQL adds those of the query to them', () => {
  const sql = `create table b (x int not null comment 'of b', y varchar(5));
    create table t (id int not null comment 'key', extra int comment 'only here', Y varchar(9) not null, primary key (id))
      comment = 'all' as select 1 as id, x, y, 3 as w from b;
    create table u (id int not null comment 'key') select id, 1 from missing`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'mysql' })
  expect(tables.find(({ name }) => name === 't')).toMatchObject({
    comment: 'all',
    primaryKey: ['id'],
    columns: [
      { name: 'extra', type: 'int', comment: 'only here' },
      { name: 'id', type: 'int', nullable: false, comment: 'key' },
      { name: 'x', type: 'int' },
      { name: 'Y', type: 'varchar(9)', nullable: false },
      { name: 'w' },
    ],
  })
  expect(tables.find(({ name }) => name === 'u')?.columns).toEqual([
    { name: 'id', type: 'int', nullable: false, comment: 'key' },
  ])
  expect(faults).toHaveLength(1)
})

test('elsewhere a list before a query names its columns', () => {
  const sql = 'create table b (x int, y int); create table t (m, n) as select x, y from b'
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(tables.find(({ name }) => name === 't')?.columns).toMatchObject([{ name: 'm' }, { name: 'n' }])
})
