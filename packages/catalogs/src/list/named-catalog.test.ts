import type { CatalogTable } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { findEntry, namedCatalog, type TableEntry } from './named-catalog.ts'

const ENTRIES: readonly TableEntry[] = [
  { database: 'raw', schema: 'shop', name: 'orders' },
  { database: 'raw', schema: 'shop', name: 'Customers' },
  { database: 'raw', schema: 'web', name: 'orders' },
]

function open(gone: readonly string[] = []) {
  const loads: (readonly TableEntry[])[] = []
  const catalog = namedCatalog(ENTRIES, {
    dialect: 'postgres',
    origin: 'the list',
    load: async (entries) => {
      loads.push(entries)
      const tables = entries.map(({ database = '', name, schema = '' }): CatalogTable => ({
        database,
        schema,
        name,
        columns: [],
      }))
      return tables.filter(({ name }) => !gone.includes(name)).toReversed()
    },
  })
  return { catalog, loads }
}

const part = (text: string) => ({ text, quoted: false })

test('loads the one table that a source names', async () => {
  const { catalog, loads } = open()
  expect(await catalog.describe({ schema: part('SHOP'), table: part('customers') })).toMatchObject({
    name: 'Customers',
  })
  expect(loads).toEqual([[ENTRIES[1]]])
})

test('loads the tables of a schema at once, in order', async () => {
  const { catalog, loads } = open()
  const tables = await catalog.tables({ schema: part('shop') })
  expect(tables.map(({ name }) => name)).toEqual(['Customers', 'orders'])
  expect(loads).toHaveLength(1)
})

test('loads nothing for a missing schema', async () => {
  const { catalog, loads } = open()
  expect(await catalog.tables({ schema: part('nowhere') })).toEqual([])
  expect(loads).toEqual([])
})

test('refuses a table that has been dropped', async () => {
  const { catalog } = open(['Customers'])
  await expect(catalog.describe({ table: part('customers') })).rejects.toMatchObject({
    code: 'INVALID_SOURCE',
  })
})

test('finds an entry without loading it, or suggests similar ones', () => {
  expect(findEntry({ schema: part('web'), table: part('orders') }, ENTRIES, 'the list')).toBe(ENTRIES[2])
  expect(() => findEntry({ schema: part('shop'), table: part('ordres') }, ENTRIES, 'the list')).toThrow(
    'did you mean orders?',
  )
  expect(() => findEntry({ table: part('orders') }, ENTRIES, 'the list')).toThrow(
    'may be raw.shop.orders or raw.web.orders',
  )
})
