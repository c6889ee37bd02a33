import { DIALECTS, FAMILIES, type Family } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { parseType } from '../sql/parse-type.ts'

const dialects = Object.values(DIALECTS).map((dialect) => [dialect.name, dialect] as const)

test.each(dialects)('%s has each type in one family, in lower case', (_, { types }) => {
  const names = Object.values(types.families).flat()
  expect(names).toEqual([...new Set(names)])
  for (const name of names) expect(name).toBe(name.toLowerCase())
  for (const family of Object.keys(types.families)) expect(FAMILIES).toContain(family)
})

test.each(dialects)('%s casts to types of the family it names', (_, dialect) => {
  for (const [family, type] of Object.entries(dialect.types.cast)) {
    if (dialect.name === 'mysql' && (family === 'integer' || family === 'string')) continue // `signed` and `char` are cast-only names
    const found = parseType(type, dialect).family
    expect([family, type, found]).toEqual([family, type, family as Family])
  }
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

test.each(dialects)('%s reserves plain words in lower case', (_, { evaluated, reserved }) => {
  for (const word of [...reserved, ...evaluated]) expect(word).toMatch(/^[a-z][a-z0-9_]*$/)
  for (const word of ['select', 'from', 'null', 'order', 'group']) expect(reserved.has(word)).toBe(true)
})

test.each(dialects)('%s names the pages its facts come from', (_, { pages }) => {
  expect(pages.length).toBeGreaterThan(2)
  for (const page of pages) expect(page).toMatch(/^https:\/\//)
})
