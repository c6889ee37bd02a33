import type { Catalog, Warning } from '@stagecraft/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { printCatalogWarnings } from './report.ts'

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
