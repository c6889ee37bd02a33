import type { ColumnValue, DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readEnumType, readValueList } from './value-list.ts'

/** Printed by PostgreSQL 15, MariaDB 10.11, DuckDB 1.5 and SQL Server 2022; SQLite keeps what was written. */
test.each<[DialectName, string, string, readonly ColumnValue[]]>([
  [
    'postgres',
    `((status)::text = ANY ((ARRAY['a'::character varying, 'b''c'::character varying])::text[]))`,
    'status',
    ['a', "b'c"],
  ],
  [
    'postgres',
    `(status = ANY (ARRAY['active'::text, 'it''s complicated'::text]))`,
    'status',
    ['active', "it's complicated"],
  ],
  ['postgres', `(((one)::text = 'a'::text) OR ((one)::text = 'b'::text))`, 'one', ['a', 'b']],
  ['postgres', `(level = ANY (ARRAY[1, 2, 3]))`, 'level', [1, 2, 3]],
  ['postgres', `(neg = ANY (ARRAY['-1'::integer, 0, 1]))`, 'neg', [-1, 0, 1]],
  ['postgres', `(big = ANY (ARRAY[(1)::bigint, '10000000000'::bigint]))`, 'big', [1, 10_000_000_000]],
  ['postgres', `(num = ANY (ARRAY[1.5, (2)::numeric]))`, 'num', [1.5, 2]],
  ['postgres', `(flag = ANY (ARRAY[true, false]))`, 'flag', [true, false]],
  ['postgres', `(chr = ANY (ARRAY['Y'::bpchar, 'N'::bpchar]))`, 'chr', ['Y', 'N']],
  ['postgres', `(esc = ANY (ARRAY['back\\slash'::text, 'tab\t'::text]))`, 'esc', ['back\\slash', 'tab\t']],
  ['postgres', `("Weird ""Col" = ANY (ARRAY['x'::text]))`, 'Weird "Col', ['x']],
  ['postgres', `((nul IS NULL) OR (nul = ANY (ARRAY['x'::text, 'y'::text])))`, 'nul', ['x', 'y']],
  ['postgres', `((VALUE)::text = ANY (ARRAY['YES'::text, 'NO'::text]))`, 'VALUE', ['YES', 'NO']],
  ['postgres', `(mood = ANY (ARRAY['ok'::shop.mood, 'sad'::shop."Mood"]))`, 'mood', ['ok', 'sad']],
  ['postgres', `(day = ANY (ARRAY['2020-01-01'::date]))`, 'day', ['2020-01-01']],
  ['mysql', "(`status` in (_utf8mb4'a',_utf8mb4'it\\'s'))", 'status', ['a', "it's"]],
  ['mysql', "`status` in ('a','b\\'c','d\\\\e')", 'status', ['a', "b'c", 'd\\e']],
  ['mysql', "`eq` = 'a' or `eq` = 'b'", 'eq', ['a', 'b']],
  ['mysql', '`level` in (1,2,-3)', 'level', [1, 2, -3]],
  ['mysql', "`we``ird` in ('a')", 'we`ird', ['a']],
  ['duckdb', `(status IN ('a', 'b''c'))`, 'status', ['a', "b'c"]],
  ['duckdb', `((eq = 'a') OR (eq = 'b'))`, 'eq', ['a', 'b']],
  ['duckdb', `(b IN (CAST('t' AS BOOLEAN), CAST('f' AS BOOLEAN)))`, 'b', [true, false]],
  ['duckdb', `("level" IN (1, 2, -3))`, 'level', [1, 2, -3]],
  ['sqlserver', `([Name]='b' OR [Name]=N'größe')`, 'Name', ['b', 'größe']],
  ['sqlite', `status in ('a', 'b', 'a')`, 'status', ['a', 'b']],
  ['postgres', `status IN (E'it\\'s', 'plain')`, 'status', ["it's", 'plain']],
])('reads the list of %s: %s', (dialect, expression, column, values) => {
  const list = readValueList(expression, dialect)
  expect([list?.column.text, list?.values]).toEqual([column, values])
})

test('reports if the column was quoted', () => {
  expect(readValueList(`a IN (1)`)?.column).toEqual({ text: 'a', quoted: false })
  expect(readValueList(`"a" IN (1)`)?.column).toEqual({ text: 'a', quoted: true })
})

test.each([
  [`a IN ('x') AND length(a) > 0`, 'another condition'],
  [`((a = ANY (ARRAY['x'::text])) AND (length(a) > 0))`, 'another condition'],
  [`lower(a) IN ('x')`, 'a function'],
  [`(lower(a) = 'x'::text)`, 'a function'],
  [`a NOT IN ('x')`, 'a negation'],
  [`NOT (a IN ('x'))`, 'a negation'],
  [`a <> 'x'`, 'another comparison'],
  [`a >= 1`, 'another comparison'],
  [`a BETWEEN 1 AND 3`, 'a range'],
  [`a = 'x' OR b = 'y'`, 'two columns'],
  [`a = b`, 'two columns'],
  [`a IN (b, 'x')`, 'two columns'],
  [`t.a IN ('x')`, 'a qualified column'],
  [`a IN ('x', NULL)`, 'null, with which the check lets everything pass'],
  [`(a = ANY (ARRAY['x'::text, NULL::text]))`, 'null, with which the check lets everything pass'],
  [`a IS NULL`, 'no value'],
  [`a IS NOT NULL`, 'no value'],
  [`a IN ()`, 'no value'],
  [`a IN (SELECT 'x')`, 'a query'],
  [`a IN ('x' || 'y')`, 'an expression'],
  [`a IN (1 + 1)`, 'an expression'],
  [`a = ALL (ARRAY['x'])`, 'another quantifier'],
  [`a = ANY ('{x,y}'::text[])`, 'a text that holds an array'],
  [`a IN (9007199254740993)`, 'a number that JavaScript rounds'],
  [`a LIKE 'x'`, 'a pattern'],
  [`a ~ '^(x|y)$'`, 'a pattern'],
  [`CASE WHEN a = 'x' THEN true END`, 'a case'],
  [`a IN ('x'`, 'an open bracket'],
  [`a IN ('x`, 'an open quote'],
  [`(a IN ('x')) IS NOT FALSE`, 'a test of the condition'],
  ['', 'nothing'],
])('refuses %s: %s', (expression) => {
  expect(readValueList(expression)).toBeUndefined()
})

test.each<[string, DialectName, readonly string[]]>([
  [`enum('active','it''s complicated','a,b')`, 'mysql', ['active', "it's complicated", 'a,b']],
  [String.raw`enum('a\\b','c)')`, 'mysql', ['a\\b', 'c)']],
  [`ENUM('ok', 's''ad')`, 'duckdb', ['ok', "s'ad"]],
  [`Enum8('new' = 1, 'old' = -2)`, 'clickhouse', ['new', 'old']],
  [`LowCardinality(Nullable(Enum16('x' = 1)))`, 'clickhouse', ['x']],
])('reads the labels of %s', (type, dialect, labels) => {
  expect(readEnumType(type, dialect)).toEqual(labels)
})

test.each([
  `set('a','b')`,
  `ENUM('a')[]`,
  'enum',
  'enumeration(3)',
  'varchar(5)',
  `enum('a`,
  `STRUCT(e ENUM('a'))`,
])('refuses %s', (type) => {
  expect(readEnumType(type, 'duckdb')).toBeUndefined()
})
