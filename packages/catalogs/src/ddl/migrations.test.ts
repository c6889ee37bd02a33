import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DialectName } from '@stagecraft/spec'
import { expect, onTestFinished, test } from 'vitest'
import { openCatalog } from '../open.ts'
import { ddl } from './index.ts'
import { readSchema } from './read-schema.ts'

/** A folder with files, gone after the test. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'stagecraft-migrations-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function columnsOf(path: string): Promise<readonly string[]> {
  const tables = await (await ddl({ path, dialect: 'postgres' })).tables({})
  return tables.flatMap(({ columns, name }) => columns.map((column) => `${name}.${column.name}`))
}

test.each<[string, Readonly<Record<string, string>>]>([
  ['down beside up', { '1_a.up.sql': 'create table a (b int);', '1_a.down.sql': 'drop table a;' }],
  ['down.sql beside up.sql', { '1/up.sql': 'create table a (b int);', '1/down.sql': 'drop table a;' }],
  ['undo beside a version', { 'V1__a.sql': 'create table a (b int);', 'U1__a.sql': 'drop table a;' }],
  ['revert beside deploy', { 'deploy/a.sql': 'create table a (b int);', 'revert/a.sql': 'drop table a;' }],
  ['a folder that is called x.sql', { 'x.sql/1.sql': 'create table a (b int);' }],
  ['a section of goose', { '1.sql': '-- +goose Up\ncreate table a (b int);\n-- +goose Down\ndrop table a;' }],
  [
    'a section of tern',
    { '1.sql': 'create table a (b int);\n---- create above / drop below ----\ndrop table a;' },
  ],
  [
    "a section of sqlite's client for Node",
    { '1.sql': '-- Up\ncreate table a (b int);\n-- Down\ndrop table a;' },
  ],
  [
    'a section of dbmate',
    { '1.sql': '-- migrate:up\ncreate table a (b int);\n-- migrate:down\ndrop table a;' },
  ],
  [
    'versions in their order',
    {
      'V1__a.sql': 'create table a (x int);',
      'V2__b.sql': 'alter table a add b int;',
      'V10__c.sql': 'alter table a drop column x;',
    },
  ],
])('migrations only go forward: %s', async (_, files) => {
  expect(await columnsOf(folderOf(files))).toEqual(['a.b'])
})

test('a loop of links is followed once, and a broken link is refused', async () => {
  const folder = folderOf({ 'a/1.sql': 'create table a (b int);' })
  symlinkSync(folder, join(folder, 'a/again'))
  expect(await columnsOf(folder)).toEqual(['a.b'])
  symlinkSync(join(folder, 'y.sql'), join(folder, 'x.sql'))
  symlinkSync(join(folder, 'x.sql'), join(folder, 'y.sql'))
  await expect(openCatalog(join(folder, 'x.sql'))).rejects.toThrow('its links form a loop')
})

test('a pipe is refused, directly and in a folder', async () => {
  const folder = folderOf({ 'a.txt': '' })
  for (const ending of ['sql', 'yml', 'csv', 'duckdb', 'sqlite']) {
    const pipe = join(folder, `pipe.${ending}`)
    execFileSync('mkfifo', [pipe])
    await expect(openCatalog(pipe)).rejects.toThrow('it is a pipe, not a file')
  }
  await expect(openCatalog(`ddl:${folder}`)).rejects.toThrow('it is a pipe, not a file')
  await expect(openCatalog(`duckdb:${folder}/`)).rejects.toThrow('it is a pipe, not a file')
})

test('rows are skipped, whatever their strings contain', () => {
  const rows = `(1, 'a); create table no (x int); (', -2.5, cast(N'x' as date), null), (2, 'it''s', f(1, '(')), ((3)), ("x", 4)`
  const sql = `insert into t (a, b) values ${rows}; replace into t values (1, '\\'), (2, ';'); create table yes (b int);`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(tables.map(({ name }) => name)).toEqual(['yes'])
  const escaped = `insert into t values ('it\\'s', '); create table no (x int);'); create table yes (b int);`
  expect(readSchema([{ name: 'a.sql', sql: escaped }], { dialect: 'mysql' }).tables).toHaveLength(1)
})

test('too deeply nested brackets affect only their statement', () => {
  const sql = `create table a (b int check (${'('.repeat(20_000)}b = 1${')'.repeat(20_000)})); create table c (d int);`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect([tables.map(({ name }) => name), faults.length]).toEqual([['c'], 1])
})

test.each<DialectName>(['databricks', 'clickhouse', 'snowflake'])(
  'a type with too deeply nested brackets is skipped in %s',
  (dialect) => {
    const sql = `create table c (d int, e ${'array<'.repeat(20_000)}int${'>'.repeat(20_000)})`
    const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
    expect([tables[0]?.columns.map(({ name }) => name.toLowerCase()), faults.length]).toEqual([['d'], 1])
  },
)

test('a dump that cleans up first keeps all keys', () => {
  const sql = `ALTER TABLE IF EXISTS ONLY s.b DROP CONSTRAINT IF EXISTS b_a_fkey;
    ALTER TABLE ONLY s.a DROP CONSTRAINT a_pkey; ALTER TABLE s.a ALTER COLUMN id DROP DEFAULT;
    DROP INDEX IF EXISTS s.a_x_idx; DROP TABLE s.b; DROP TABLE IF EXISTS s.a; DROP TYPE s.mood; DROP SCHEMA s;
    CREATE SCHEMA s; CREATE TYPE s.mood AS ENUM ('a', 'b'); CREATE TABLE s.a (id int NOT NULL, x s.mood);
    CREATE TABLE s.b (a int); ALTER TABLE ONLY s.a ADD CONSTRAINT a_pkey PRIMARY KEY (id);
    CREATE UNIQUE INDEX a_x_idx ON s.a USING btree (x);
    ALTER TABLE ONLY s.b ADD CONSTRAINT b_a_fkey FOREIGN KEY (a) REFERENCES s.a(id);`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(faults).toEqual([])
  expect(tables).toMatchObject([
    { name: 'a', primaryKey: ['id'], uniqueKeys: [['x']], columns: [{}, { values: ['a', 'b'] }] },
    { name: 'b', foreignKeys: [{ columns: ['a'], references: { table: { schema: 's', name: 'a' } } }] },
  ])
})

test('descriptions, aliases and indexes of SQL Server are read', () => {
  const sql = `USE [$(DatabaseName)]\nGO\nCREATE TYPE [dbo].[Flag] FROM bit NOT NULL\nGO
CREATE TABLE [dbo].[a] ([id] int NOT NULL, [ok] [dbo].[Flag], INDEX cci CLUSTERED COLUMNSTORE)\nGO
EXEC sp_addextendedproperty N'MS_Description', N'All of them', N'SCHEMA', [dbo], N'TABLE', [a], NULL, NULL\nGO
EXECUTE sys.sp_addextendedproperty 'MS_Description', 'The key', 'SCHEMA', 'dbo', 'TABLE', 'a', 'COLUMN', 'id'\nGO\n`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlserver' })
  expect(faults).toMatchObject([{ line: 1, received: expect.stringContaining('$(DatabaseName)') as string }])
  expect(tables).toEqual([
    {
      schema: 'dbo',
      name: 'a',
      kind: 'table',
      comment: 'All of them',
      columns: [
        { name: 'id', type: 'int', nullable: false, comment: 'The key' },
        { name: 'ok', type: 'bit', nullable: false },
      ],
    },
  ])
})

test('tables that CREATE SCHEMA creates are in the schema', () => {
  const sql = `CREATE SCHEMA person
    CREATE TABLE address (id int)
    CREATE TABLE city (id int);
  CREATE TABLE alone (id int); CREATE SCHEMA x CREATE TABLE y (id int) CREATE TABLE z (id int);`
  const { tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'postgres' })
  expect(tables.map(({ name, schema }) => `${schema}.${name}`)).toEqual([
    'person.address',
    'person.city',
    'undefined.alone',
    'x.y',
    'x.z',
  ])
})

test('columns of ClickHouse that `select *` omits are hidden, and those that cannot be selected are left out', () => {
  const sql = `CREATE TABLE a (id UInt8, m UInt8 MATERIALIZED id + 1, al String ALIAS upper(x), e UInt8 EPHEMERAL)
    ENGINE = MergeTree ORDER BY id; ALTER TABLE a ADD COLUMN n UInt8 SETTINGS alter_sync = 2, mutations_sync = 1;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'clickhouse' })
  expect(faults).toEqual([])
  expect(tables[0]?.columns.map(({ hidden = false, name }) => [name, hidden])).toEqual([
    ['id', false],
    ['m', true],
    ['al', true],
    ['n', false],
  ])
})

test('nested columns of ClickHouse are read as stored, and NULL makes columns of views nullable', () => {
  const sql = `create table s.a (id UInt64, lines Nested(sku String, parts Array(Tuple(a UInt8, b String))), b Int8 null)
      engine = MergeTree order by id;
    alter table s.a add column more Nested(x Decimal(10, 2));
    create view s.v as select b as c, id from s.a;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'clickhouse' })
  expect(faults).toEqual([])
  const spelled = tables.map(({ columns }) =>
    columns.map(({ name, nullable, type }) => [name, type, nullable]),
  )
  expect(spelled).toEqual([
    [
      ['id', 'UInt64', false],
      ['lines.sku', 'Array(String)', false],
      ['lines.parts', 'Array(Array(Tuple(a UInt8, b String)))', false],
      ['b', 'Nullable(Int8)', undefined],
      ['more.x', 'Array(Decimal(10, 2))', false],
    ],
    [
      ['c', 'Nullable(Int8)', undefined],
      ['id', 'UInt64', false],
    ],
  ])
})

test.each<[string, DialectName]>([
  ['exchange tables s.a and s.b', 'clickhouse'],
  ['alter table s.a swap with s.b', 'snowflake'],
])('two tables swap names: %s', (statement, dialect) => {
  const sql = `create table s.a (x int); create table s.b (y int); ${statement}; alter table s.a add column z int;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect })
  expect(faults).toEqual([])
  const names = tables.map(({ columns, name }) => [name, ...columns.map((column) => column.name)].join())
  expect(names.map((text) => text.toLowerCase()).toSorted()).toEqual(['a,y,z', 'b,x'])
})

test('dictionaries of ClickHouse are read like tables', () => {
  const sql = `create dictionary shop.places on cluster main
      (id UInt64, parent UInt64 hierarchical, name String default '?' injective, size Float64 expression toFloat64(raw))
      primary key id source(clickhouse(table 'raw_places' db 'shop')) layout(hashed()) lifetime(min 0 max 300) comment 'x';
    create dictionary shop.gone (id UInt64) primary key id source(null()) layout(flat());
    drop dictionary if exists shop.gone;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'clickhouse' })
  expect(faults).toEqual([])
  expect(tables).toMatchObject([{ schema: 'shop', name: 'places', comment: 'x' }])
  expect(tables[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'id UInt64',
    'parent UInt64',
    'name String',
    'size Float64',
  ])
})

test('a redefined key column remains NOT NULL in MySQL, and generated key names follow renames', () => {
  const sql = `create table a (id int primary key, parent_id int, foreign key (parent_id) references a (id));
    alter table a modify id bigint;
    alter table a drop primary key;
    rename table a to b;
    alter table b drop foreign key b_ibfk_1;`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'mysql' })
  expect(faults).toEqual([])
  expect(tables).toEqual([
    {
      name: 'b',
      kind: 'table',
      columns: [
        { name: 'id', type: 'bigint', nullable: false },
        { name: 'parent_id', type: 'int' },
      ],
    },
  ])
})

test('a view may come before its tables', () => {
  const first = `create view a as select * from t; create view b as select id, n as name from a; create view c as select id x from t;
    create view gone as select * from t; drop view gone; comment on view a is 'all';
    create view e as select id from t; alter view e rename to f; create view never as select * from nowhere;`
  const files = [
    { name: '1.sql', sql: first },
    { name: '2.sql', sql: 'create table t (id int, n text);' },
  ]
  const { faults, tables } = readSchema(files, { dialect: 'postgres' })
  expect(faults).toMatchObject([{ path: '1.sql', received: expect.stringContaining('nowhere') }])
  const shown = tables.map(({ columns, name }) => [
    name,
    columns.map((one) => `${one.name} ${one.type}`).join(),
  ])
  expect(Object.fromEntries(shown)).toEqual({
    a: 'id int,n text',
    b: 'id int,name text',
    c: 'x int',
    f: 'id unknown',
    t: 'id int,n text',
  })
  expect(tables.find(({ name }) => name === 'a')?.comment).toBe('all')
})

test('a description of SQL Server may be in a variable', () => {
  const sql = `create table t (id int, n int);
    declare @schema sysname; set @schema = schema_name(); declare @text sql_variant; set @text = N'The blog''s id';
    exec sp_addextendedproperty 'MS_Description', @text, 'SCHEMA', @schema, 'TABLE', N't', 'COLUMN', N'id';
    set @text = concat('a', @n);
    exec sp_addextendedproperty 'MS_Description', @text, 'SCHEMA', @schema, 'TABLE', N't', 'COLUMN', N'n';`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlserver' })
  expect(faults).toEqual([])
  expect(tables[0]?.columns.map(({ comment }) => comment)).toEqual(["The blog's id", undefined])
})

test('a description may be in a variable of the designer of SQL Server', () => {
  const sql = `create table dbo.t (id int, n int)
GO
DECLARE @v sql_variant
SET @v = N'The id'
EXECUTE sp_addextendedproperty N'MS_Description', @v, N'SCHEMA', N'dbo', N'TABLE', N't', N'COLUMN', N'id'
GO
DECLARE @w sql_variant = N'The n', @x int
EXECUTE sp_addextendedproperty N'MS_Description', @w, N'SCHEMA', N'dbo', N'TABLE', N't', N'COLUMN', N'n'
GO`
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: 'sqlserver' })
  expect(faults).toEqual([])
  expect(tables[0]?.columns.map(({ comment }) => comment)).toEqual(['The id', 'The n'])
})

test('a table of Oracle is renamed', () => {
  const sql = 'create table a (id number); rename a to b; alter table b add (c number);'
  const { faults, tables } = readSchema([{ name: 'a.sql', sql }], { dialect: undefined })
  expect(faults).toEqual([])
  expect(tables).toMatchObject([{ name: 'b', columns: [{ name: 'id' }, { name: 'c' }] }])
})

test('files that are too large for the memory are refused, with a remedy', async () => {
  const folder = folderOf({ '1.sql': 'create table a (b int);', '2.sql': '' })
  truncateSync(join(folder, '2.sql'), 401e6)
  await expect(ddl({ path: folder })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: expect.stringMatching(
      /it is 402 MB, but SQL files can have at most 400 MB in total; dump the schema without/,
    ),
  })
})
