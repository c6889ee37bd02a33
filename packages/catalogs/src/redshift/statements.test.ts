import { expect, test } from 'vitest'
import { statements } from './statements.ts'

test('binds the schema and the names of tables', () => {
  const asked = statements({ schema: `x' or 1`, tables: ['a', 'b'] })
  expect(asked.map(({ name }) => name)).toEqual([
    'tables',
    'columns',
    'constraints',
    'late_binding',
    'external_columns',
    'distribution',
    'table_info',
  ])
  for (const { text, values } of asked) {
    expect(values).toEqual([`x' or 1`, 'a', 'b'])
    expect(text.match(/\?/g)).toHaveLength(3)
    expect(text).not.toContain(`or 1`)
  }
})
