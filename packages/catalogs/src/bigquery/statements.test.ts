import { expect, test } from 'vitest'
import { statements } from './statements.ts'

test('reads named tables by value, and shards of a folded table by their prefix', () => {
  const asked = statements({ database: 'p', schema: 'web', tables: ['users', 'events_*'] })
  expect(asked.map(({ name }) => name)).toEqual(['tables', 'columns', 'keys', 'storage'])
  for (const { text, values } of asked) {
    expect(text).toMatch(/and \(\w\.\w+ = \? or starts_with\(\w\.\w+, \?\)\)$/)
    expect(values).toEqual(['users', 'events_'])
  }
})

test('quotes project and dataset, which cannot be values', () => {
  const [tables] = statements({ database: 'p-1', schema: 'w`eb' })
  expect(tables?.text).toContain('from `p-1`.`w\\`eb`.INFORMATION_SCHEMA.TABLES t')
})
