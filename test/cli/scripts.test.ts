import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type CliResult, runWarm, temporaryFolder } from './run-cli.ts'

/** Generates from a script. */
function generate(sql: string, parameters: readonly string[], query = ''): Promise<CliResult> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'schema.sql'), sql)
  return runWarm(['generate', '--all', '--catalog', `schema.sql${query}`, ...parameters], { folder })
}

const PLAIN = 'create table shop.Orders (Id int primary key, "Weird Name" text, PlacedAt timestamp);'
const DUMP = `-- PostgreSQL database dump\ncreate table shop.orders (id int primary key, "order" text, "createdAt" date);`
const MYSQL =
  'CREATE TABLE `shop`.`orders` (`id` int NOT NULL AUTO_INCREMENT, `Total` int, PRIMARY KEY (`id`)) ENGINE=InnoDB;'
const SQL_SERVER = 'CREATE TABLE [dbo].[Orders] ([Id] [int] NOT NULL PRIMARY KEY, [PlacedAt] [date])\nGO\n'

describe('a script without a stated dialect', () => {
  test.each<[what: string, sql: string, dialect: string, columns: readonly string[]]>([
    ['plain names, for Snowflake', PLAIN, 'snowflake', ['id as order_id', '"Weird Name"']],
    ['plain names, for PostgreSQL', PLAIN, 'postgres', ['id as order_id', '"Weird Name"']],
    ['a dump of PostgreSQL, for Snowflake', DUMP, 'snowflake', ['id as order_id', '"ORDER"', '"createdAt"']],
    ['a dump of MySQL, for Snowflake', MYSQL, 'snowflake', ['id as order_id', 'total']],
    ['a dump of MySQL, for MySQL', MYSQL, 'mysql', ['id as order_id', 'total']],
    ['a script of SQL Server, for PostgreSQL', SQL_SERVER, 'postgres', ['id as order_id', 'placedat']],
  ])('names what the warehouse has: %s', async (_, sql, dialect, columns) => {
    const { code, stdout } = await generate(sql, ['--dialect', dialect])
    expect(code).toBe(0)
    for (const column of columns) expect(stdout.toLowerCase()).toContain(column.toLowerCase())
    expect(stdout).not.toMatch(/"(?:id|Id|ID|PlacedAt|Total|Orders|orders|Shop|shop)"/)
  })

  test.each([
    [PLAIN, ['--dialect', 'snowflake'], '', 'schema.sql is read as snowflake, the dialect of the output'],
    [
      DUMP,
      ['--dialect', 'snowflake'],
      '',
      'schema.sql is read as postgres, because of the header of pg_dump',
    ],
    [MYSQL, [], '', 'schema.sql is read as mysql, because of ENGINE='],
    [SQL_SERVER, [], '', 'schema.sql is read as sqlserver, because of GO on a line of its own'],
  ])('says what it was read as, and why', async (sql, parameters, query, note) => {
    const { code, stderr } = await generate(sql, parameters, query)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining(`note[DIALECT_ASSUMED] ${note}`) as string,
    })
  })

  test('says nothing of it when it was stated', async () => {
    expect((await generate(PLAIN, [], '?dialect=snowflake')).stderr).not.toContain('is read as')
  })
})

test('a clause that is not understood is named, and the rest lives', async () => {
  const sql =
    'create table s.a (id int primary key, b text frob nicate);\ncreate table s.c (id int primary key);'
  const { code, stderr, stdout } = await generate(sql, ['--dialect', 'postgres'])
  expect(code).toBe(0)
  expect(stderr).toContain(
    'warning[DDL_SKIPPED] schema.sql, line 1: "frob" in create table s.a is skipped; expected',
  )
  expect(stdout.match(/^-- models.*$/gm)).toHaveLength(2)
})

test('a file in another encoding is refused by its byte, and read when it is said', async () => {
  const folder = temporaryFolder()
  const sql = Buffer.from("create table a (id int);\ncomment on table a is 'gr\u00f6\u00dfe';", 'latin1')
  writeFileSync(join(folder, 'old.sql'), sql)
  const refused = await runWarm(['tables', '--catalog', 'old.sql'], { folder })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('cannot read old.sql: line 2, byte 50 (0xF6) is not UTF-8')
  expect(refused.stderr).toContain('?encoding=windows-1252')
  const read = await runWarm(
    ['tables', '--json', '--catalog', 'old.sql?dialect=postgres&encoding=windows-1252'],
    { folder },
  )
  expect(JSON.parse(read.stdout)).toMatchObject([{ comment: 'größe' }])
})

test('a file with a null character is refused by its place, and one of UTF-16 without a mark is read', async () => {
  const folder = temporaryFolder()
  const sql = 'create table a (id int);\nb\0create table c (id int);'
  writeFileSync(join(folder, 'cut.sql'), sql)
  const refused = await runWarm(['tables', '--catalog', 'cut.sql'], { folder })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('cannot read cut.sql: line 2, character 2 is a null character (0x00)')
  writeFileSync(join(folder, 'wide.sql'), Buffer.from('create table a (id int);', 'utf16le'))
  const wide = await runWarm(['tables', '--catalog', 'wide.sql'], { folder })
  expect(wide.stderr).toContain('?encoding=utf-16le')
  const read = await runWarm(['tables', '--catalog', 'wide.sql?dialect=sqlserver&encoding=utf-16le'], {
    folder,
  })
  expect(read.stdout).toContain('a  table, 1 column')
})
