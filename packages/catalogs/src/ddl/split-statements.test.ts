import type { DialectName } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { splitStatements } from './split-statements.ts'
import { isOfInterest } from './statements.ts'

/** The statements that are kept, their words joined. */
function split(sql: string, dialect?: DialectName): readonly string[] {
  const statements = [...splitStatements({ sql, dialect }, isOfInterest)]
  return statements
    .filter(({ tokens }) => tokens.length > 0)
    .map(({ tokens }) => tokens.map(({ text }) => text).join(' '))
}

describe('a statement ends', () => {
  test.each([
    ['at a semicolon', 'create table a (b int); create table c (d int)'],
    ['at GO', 'create table a (b int)\nGO\ncreate table c (d int)\ngo 2\n'],
    ['where another one begins on a new line', 'create table a (b int)\ncreate table c (d int)'],
    ['where another one begins after options', 'create table a (b int) engine=x\nCREATE TABLE c (d int)'],
  ])('%s', (_, sql) => {
    expect(split(sql).map((text) => text.replace(/ engine.*/, '').toLowerCase())).toEqual([
      'create table a ( b int )',
      'create table c ( d int )',
    ])
  })

  test('not inside strings, names, comments and brackets', () => {
    expect(split(`create table a (b text default ';', ";" int -- ;\n) /* ; */; drop table a`)).toEqual([
      'create table a ( b text default ; , ; int )',
      'drop table a',
    ])
  })

  test('not before an action of ALTER TABLE at the start of a line', () => {
    const sql =
      'alter table a\n  alter column b set not null,\n  drop column c\nalter table d drop column e\ndrop table f'
    expect(split(sql)).toEqual([
      'alter table a alter column b set not null , drop column c',
      'alter table d drop column e',
      'drop table f',
    ])
  })

  test('not before CREATE of a grant at the start of a line', () => {
    expect(split('grant select,\ncreate table to somebody;\ngrant\ncreate table to somebody')).toEqual([])
  })
})

describe('skips', () => {
  test.each<[string, string, DialectName?]>([
    ['rows of INSERT', `insert into a values ('create table x (y int);', 1); create table kept (id int);`],
    [
      'rows of COPY',
      'copy a (b) from stdin;\ncreate table x (y int);\n\'"`\n\\.\ncreate table kept (id int);',
    ],
    ['no rows of COPY', 'copy a (b) from stdin;\n\\.\n\ncreate table kept (id int);'],
    [
      'bodies in dollar quotes',
      'create function f() returns int as $$ begin create table x (y int); end $$; create table kept (id int);',
    ],
    ['bodies in texts', `create procedure p() as 'create table x (y int);'; create table kept (id int);`],
    [
      'bodies of SQL',
      'create function f() returns int begin atomic select 1; create table x (y int); end; create table kept (id int);',
    ],
    [
      'triggers of SQLite',
      'create trigger t after insert on a begin update a set b = case when c then 1 else 2 end; delete from a; end; create table kept (id int);',
    ],
    [
      'routines with loops',
      'create procedure p() begin if a then b; end if; while a do b; end while; create table x (y int); end; create table kept (id int);',
    ],
    [
      'routines with a cursor',
      'create procedure p() as declare a int; begin case a when 1 then b; end case; create table x (y int); end; create table kept (id int);',
    ],
    [
      'routines between delimiters',
      'delimiter //\ncreate procedure p() begin create table x (y int); end//\ndelimiter ;\ncreate table kept (id int);',
      'mysql',
    ],
    [
      'routines of SQL Server',
      'create procedure p as\nselect 1;\ncreate table x (y int);\nGO\ncreate table kept (id int)',
    ],
    ['commands of psql', '\\restrict abc\n\\connect "a\'b\ncreate table kept (id int);'],
    ['commands of sqlite3', ".mode 'csv\ncreate table kept (id int);"],
    ['commands of sqlcmd', ":setvar x 'y\ncreate table kept (id int)\nGO"],
    ['views', 'create view v as select 1; create or replace view w as select 1; create table kept (id int);'],
  ])('%s', (_, sql, dialect) => {
    const kept = split(sql, dialect).filter(
      (text) => !text.startsWith('create view') && !text.includes(' view w '),
    )
    expect(kept).toEqual(['create table kept ( id int )'])
  })
})

test('reads conditional comments of MySQL, for future versions', () => {
  const sql = '/*!50001 CREATE TABLE x (y int) */; /*!99999 CREATE TABLE z (y int) */; /*! comment on */;'
  expect(split(sql, 'mysql')).toEqual(['CREATE TABLE x ( y int )', 'comment on'])
  expect(split(sql, 'postgres')).toEqual([])
})

test('keeps a table inside a condition of SQL Server', () => {
  const sql = `IF NOT EXISTS (SELECT * FROM sys.objects WHERE name = 'a')\nBEGIN\nCREATE TABLE a (b int)\nEND\nGO`
  expect(split(sql)).toEqual([
    'IF NOT EXISTS ( SELECT * FROM sys . objects WHERE name = a ) BEGIN',
    'CREATE TABLE a ( b int ) END',
  ])
})

test('refuses a routine without end, which would hide everything after it', () => {
  const sql = 'create trigger t after insert on a begin delete from b; create table x (y int);'
  expect(() => split(sql)).toThrow('expected END of the routine, got the end of the file')
})
