import { expect, test } from 'vitest'
import { makeTables } from './tables.ts'

test('makes tables that share few columns, a quarter of them with a comment, the same each time', () => {
  const tables = makeTables(200, 30)
  expect(makeTables(200, 30)).toEqual(tables)
  const columns = tables.flatMap(({ table }) => table.columns)
  expect(columns).toHaveLength(200 * 30)
  expect(new Set(columns.map(({ name }) => name)).size).toBeGreaterThan(3500)
  const share = columns.filter(({ comment }) => comment !== undefined).length / columns.length
  expect(share).toBeGreaterThan(0.18)
  expect(share).toBeLessThan(0.27)
})
