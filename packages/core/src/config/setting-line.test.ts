import { expect, test } from 'vitest'
import { settingLines } from './setting-line.ts'

const TEXT = `# naming: above
options: { materialization: view, addTests: true }
naming:
  boolean: keep
  timestamp: suffix
sources:
  shop:
    options: &own
      addTests: false
    tables:
      orders: { columns: { tax: { as: cents },
        note: { exclude: true } } }
  crm: { options: *own, naming: {boolean: is} }
`

test.each<[string, number | undefined]>([
  ['options', 2],
  ['options.addTests', 2],
  ['naming.boolean', 4],
  ['sources.shop.options.addTests', 9],
  ['sources.shop.tables.orders.columns.tax.as', 11],
  ['sources.shop.tables.orders.columns.note.exclude', 12],
  ['sources.crm.options.addTests', 9],
  ['sources.crm.naming.boolean', 13],
  ['naming.addTests', undefined],
  ['boolean', undefined],
  ['options.addTests.more', undefined],
])('finds %s in line %s', (path, line) => {
  expect(settingLines(TEXT)(path.split('.'))).toBe(line)
})

test('a text without settings has none', () => {
  expect(settingLines('')(['naming'])).toBeUndefined()
})
