import { expect, test } from 'vitest'
import { DIALECTS, FAMILIES, readRelationPart } from './index.ts'

const dialects = Object.values(DIALECTS).map((dialect) => [dialect.name, dialect] as const)

test.each(dialects)('%s has each type in one family, in lower case', (_, { types }) => {
  const names = Object.values(types.families).flat()
  expect(names).toEqual([...new Set(names)])
  for (const name of names) expect(name).toBe(name.toLowerCase())
  for (const family of Object.keys(types.families)) expect(FAMILIES).toContain(family)
})

test.each(dialects)('%s fills every idiom', (_, { idioms }) => {
  expect(idioms.cast).toMatch(/\{x\}.*\{type\}/)
  for (const text of [
    ...Object.values(idioms.epoch),
    idioms.cents,
    idioms.flagged,
    idioms.notFlagged,
    idioms.textLength,
  ]) {
    expect(text).toContain('{x}')
  }
  expect(idioms.concat).toMatch(/\{a\}.*\{b\}/)
  if (idioms.toUtc !== undefined) expect(idioms.toUtc).toContain('{x}')
  if (idioms.truth.wrap !== undefined) expect(idioms.truth.wrap).toContain('{x}')
})

test.each(dialects)('%s reserves plain words in lower case', (_, { words: { evaluated, reserved } }) => {
  for (const word of [...reserved, ...evaluated]) expect(word).toMatch(/^[a-z][a-z0-9_]*$/)
  for (const word of ['select', 'from', 'null', 'order', 'group']) expect(reserved.has(word)).toBe(true)
})

test.each(dialects)('%s names the source pages of each group of facts', (_, dialect) => {
  const { ddl, dbt, functions, identifiers, idioms, lexing, sampling, types, words } = dialect
  for (const { pages } of [ddl, dbt, functions, identifiers, idioms, lexing, sampling, types, words]) {
    expect(pages.length).toBeGreaterThan(0)
    for (const page of pages) expect(page).toMatch(/^https:\/\//)
  }
})

test('no dbt adapter has two dialects', () => {
  const adapters = dialects.flatMap(([, { dbt }]) => dbt.adapters)
  expect(adapters).toEqual([...new Set(adapters)])
})

test.each(dialects)('%s has no duplicate signs', (_, { ddl }) => {
  for (const { pattern } of ddl.signs) expect(pattern.flags).not.toMatch(/[gy]/)
})

test('dialects with backslash escapes double a backslash', () => {
  const differing = dialects.filter(
    ([, { ddl, lexing }]) => ddl.backslashEscapes !== '\\' in lexing.textEscapes,
  )
  expect(differing.map(([name]) => name)).toEqual(['athena']) // its statements are read by Hive, its queries by Trino
})

const NAMES = ['orders', 'a"b', '"', '""', '"a"', 'a""b', 'a`b', '``a`', 'a\\b', '\\`"', 'Weird name', '[a]']

test.each(dialects)('%s reads its names back from the YAML of dbt', (_, dialect) => {
  const { escapes, quotes } = dialect.identifiers
  const escape = (name: string): string =>
    Array.from(name, (character) => escapes[character] ?? character).join('')
  for (const name of NAMES) expect(readRelationPart(escape(name), dialect)).toBe(name)
  const inQuotes = quotes[0] + escape(`My ${quotes[1]}Table`) + quotes[1]
  expect(readRelationPart(inQuotes, dialect)).toBe(`My ${quotes[1]}Table`)
})

test('a doubled quote of either kind means one quote if the warehouse is unknown', () => {
  expect(readRelationPart('a""b', undefined)).toBe('a"b')
  expect(readRelationPart('a``b', undefined)).toBe('a`b')
  expect(readRelationPart('a\\b', undefined)).toBe('a\\b')
})
