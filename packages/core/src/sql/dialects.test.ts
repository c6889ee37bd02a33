import { DIALECTS, type Family } from '@stagecraft/dialects'
import { expect, test } from 'vitest'
import { parseType } from './types.ts'

const dialects = Object.values(DIALECTS).map((dialect) => [dialect.name, dialect] as const)

test.each(dialects)('%s casts to types of the family it names', (_, dialect) => {
  for (const [family, type] of Object.entries(dialect.types.cast)) {
    if (dialect.name === 'mysql' && (family === 'integer' || family === 'string')) continue // `signed` and `char` are cast-only names
    const found = parseType(type, dialect).family
    expect([family, type, found]).toEqual([family, type, family as Family])
  }
})

test('a type with the name of an inherited member is unknown', () => {
  for (const [, dialect] of dialects.filter(([name]) => name !== 'sqlite'))
    expect(parseType('constructor', dialect).known).toBe(false)
})
