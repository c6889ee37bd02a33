import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { Tokenizer } from './tokenizer.ts'
import type { Token } from './cursor.ts'

function tokens(sql: string, dialect?: DialectName): readonly Token[] {
  const tokenizer = new Tokenizer(sql, dialect)
  const found: Token[] = []
  for (let token = tokenizer.next(); token; token = tokenizer.next()) found.push(token)
  return found
}

const brief = (sql: string, dialect?: DialectName): readonly string[] =>
  tokens(sql, dialect).map(({ kind, text }) => `${kind} ${text}`)

test('splits words, names, strings, numbers and symbols', () => {
  expect(brief(`a."b ""c"" d" = 'it''s' + 1.5e-3::int;`)).toEqual([
    'word a',
    'symbol .',
    'name b "c" d',
    'symbol =',
    "text it's",
    'symbol +',
    'number 1.5e-3',
    'symbol ::',
    'word int',
    'terminator ;',
  ])
})

test.each<[string, DialectName | undefined, string]>([
  [String.raw`'it\'s'`, 'mysql', "it's"],
  [String.raw`'it\'s'`, 'snowflake', "it's"],
  [String.raw`'a\tb\x41\u00e4\\'`, 'bigquery', 'a\tbAä\\'],
  [String.raw`'50\% of \_'`, 'mysql', String.raw`50\% of \_`],
  [String.raw`'C:\'`, 'postgres', 'C:\\'],
  [String.raw`E'it\'s'`, 'postgres', "it's"],
  [String.raw`E'it\'s'`, undefined, "it's"],
  [String.raw`'a\\'`, undefined, String.raw`a\\`],
  [String.raw`r'\d'`, 'bigquery', String.raw`\d`],
  [`"""He said "so" """`, 'bigquery', 'He said "so" '],
  [`"a"`, 'databricks', 'a'],
  [String.raw`r"\d"`, 'bigquery', String.raw`\d`],
  [`q'[it's ']'`, undefined, "it's '"],
  [`nq'!it's!'`, undefined, "it's"],
  [`N'größe'`, 'sqlserver', 'größe'],
  [`_utf8mb4'a'`, 'mysql', 'a'],
  [`$$it's; "so"$$`, 'postgres', `it's; "so"`],
  [`$body$ $$ $body$`, undefined, ' $$ '],
])('reads the text %s of %s', (sql, dialect, text) => {
  expect(brief(sql, dialect)).toEqual([`text ${text}`])
})

test.each<[string, DialectName | undefined, string]>([
  ['[weird ]]name]', 'sqlserver', 'weird ]name'],
  ['[dbo]', undefined, 'dbo'],
  ['`we``ird`', 'mysql', 'we`ird'],
  ['"a"', undefined, 'a'],
])('reads the name %s of %s', (sql, dialect, name) => {
  expect(brief(sql, dialect)).toEqual([`name ${name}`])
})

test.each<[string, DialectName | undefined]>([
  ['varchar[]', undefined],
  ['integer[3]', undefined],
  ['ARRAY[a]', undefined],
  [`[('a', 1)]`, undefined],
  ['default [a]', 'duckdb'],
])('reads the brackets of %s as an array', (sql, dialect) => {
  expect(brief(sql, dialect)).toContain('symbol [')
})

test.each<[string, DialectName | undefined]>([
  ['a -- b\n', undefined],
  ['a /* b /* c */ d */', undefined],
  ['a /* b /* c */ d */', 'clickhouse'],
  ['a // b\n', 'clickhouse'],
  ['a # b\n', 'clickhouse'],
  ['a /* b /* c */', 'mysql'],
  ['a # b', 'mysql'],
  ['a#b', 'mysql'],
  ['# b\na', undefined],
  ['a // b', 'snowflake'],
  ['a /*!40101 SET b */', 'postgres'],
])('skips the comment in %j', (sql, dialect) => {
  expect(brief(sql, dialect)).toEqual(['word a'])
})

test('keeps # in names if it does not begin a comment', () => {
  expect(brief('table #temporary', 'sqlserver')).toEqual(['word table', 'word #temporary'])
})

test('reads names that begin with a digit as words', () => {
  expect(brief('2fa_enabled 1e5 0x1F')).toEqual(['word 2fa_enabled', 'number 1e5', 'number 0x1F'])
})

test('marks tokens that begin a line', () => {
  expect(tokens('a b\n  c /* d */ e').map(({ startsLine }) => startsLine)).toEqual([true, false, true, false])
})

test('ends statements at the DELIMITER', () => {
  const tokenizer = new Tokenizer('; $$', 'mysql')
  tokenizer.terminator = '$$'
  expect([tokenizer.next()?.kind, tokenizer.next()?.kind]).toEqual(['symbol', 'terminator'])
  const adjacent = new Tokenizer('END$$', 'mysql')
  adjacent.terminator = '$$'
  expect([adjacent.next()?.text, adjacent.next()?.kind]).toEqual(['END', 'terminator'])
})

test.each([
  [`'abc`, `expected a closing '`],
  ['/* abc', 'expected a closing */'],
  ['/* a /* b */', 'expected a closing */'],
  ['$$ abc', 'expected a closing $$'],
  [String.raw`'it\'s'`, 'expected a dialect'],
])('refuses %s', (sql, message) => {
  expect(() => tokens(sql)).toThrow(message)
})

test.each<[DialectName, string, string]>([
  ['mysql', `/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO,ANSI' */;`, 'name'],
  ['mysql', `SET SESSION sql_mode = CONCAT(@@sql_mode, ',ANSI_QUOTES');`, 'name'],
  ['mysql', `SET SQL_MODE='ORACLE';`, 'name'],
  ['mysql', `SET SQL_MODE='NO_AUTO_VALUE_ON_ZERO';`, 'text'],
  ['mysql', `SET SQL_MODE=''; SET x='ANSI';`, 'text'],
  ['databricks', 'SET spark.sql.ansi.doubleQuotedIdentifiers = true;', 'name'],
  ['databricks', 'SET spark.sql.ansi.doubleQuotedIdentifiers = false;', 'text'],
])('double quotes in %s after %s enclose a %s', (dialect, setting, kind) => {
  expect(tokens(`${setting} "a"`, dialect).at(-1)).toMatchObject({ kind, text: 'a' })
})
