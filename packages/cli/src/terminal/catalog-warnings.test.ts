import type { Catalog, Warning } from '@stagecraft/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printBound, printCatalogWarnings, printLengths, printRunWarnings } from './report.ts'

const warning = (message: string): Warning => ({ code: 'CATALOG_PARTLY_READ', message })

test('prints what came up since, and nothing twice', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  const early = [warning('a table is cut')]
  const catalog = { warnings: [...early, warning('two tables were passed over')] } as unknown as Catalog
  printCatalogWarnings(catalog, early)
  const text = write.mock.calls.map(([line]) => String(line)).join('')
  expect(text).toContain('two tables were passed over')
  expect(text).not.toContain('a table is cut')
})

test.each([
  [['RANGE_WITHOUT_PACKAGE', 'RANGE_WITHOUT_PACKAGE', 'VALUES_CHANGED'], 'VALUES_CHANGED'],
  [['PARENT_NOT_STAGED', 'COLUMN_LEFT_OUT', 'COLUMN_LEFT_OUT'], 'PARENT_NOT_STAGED'],
  [['COMPOSITE_KEY_WITHOUT_PACKAGE'], 'COMPOSITE_KEY_WITHOUT_PACKAGE'],
] as const)('of %j, %s is the code to explain', (codes, code) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  printRunWarnings(codes.map((one, index) => ({ code: one, message: `warning ${index}` })))
  expect(write.mock.lastCall?.[0]).toBe(`  stagecraft explain ${code} shows cause and remedy\n`)
})

test('one length is not printed as two', () => {
  expect([printLengths(2, 2), printLengths(1), printLengths(3, 18)]).toEqual([
    '2 characters',
    '1 character',
    '3 to 18 characters',
  ])
})

test('bounds that numbers cannot hold are rounded', () => {
  expect([9_007_199_254_740_991, 2 ** 63, -0.5, '2026-01-31'].map(printBound)).toEqual([
    '9007199254740991',
    'about 9.223e+18',
    '-0.5',
    '2026-01-31',
  ])
})
