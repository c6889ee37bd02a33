import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { readEnumType } from './enum-type.ts'

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
