import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generateEach } from '../generate.ts'
import { createRun } from './create-run.ts'
import { parseItem, printItem } from './item-text.ts'
import { nameModel } from './name-model.ts'
import { readRequests } from './read-requests.ts'

const columns = [{ name: 'id', type: 'bigint', nullable: false }]
const customers: CatalogTable = { schema: 'shop', name: 'customers', columns, primaryKey: ['id'] }
const orders: CatalogTable = {
  schema: 'shop',
  name: 'orders',
  columns: [...columns, { name: 'customer_id', type: 'bigint' }],
  primaryKey: ['id'],
  foreignKeys: [{ columns: ['customer_id'], references: { table: { name: 'customers' }, columns: ['id'] } }],
}
const options = { addTests: true }
const context = { dialect: 'postgres' } as const

function staging(source: string, more: object = {}) {
  return { type: 'staging' as const, source, options: { ...options, ...more } }
}

/** A catalog in memory that counts how often it is asked. */
function memoryCatalog(all: readonly CatalogTable[]): Catalog & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    dialect: 'postgres',
    tables: ({ schema, tables }) => {
      asked.push(`tables ${schema?.text ?? '*'}`)
      const names = tables?.map(({ text }) => text.toLowerCase())
      return Promise.resolve(all.filter(({ name }) => names?.includes(name.toLowerCase()) ?? true))
    },
    describe: ({ table }) => {
      asked.push(`describe ${table.text}`)
      return Promise.reject(new StagecraftError('INVALID_SOURCE', `no table ${table.text}`))
    },
    close: () => Promise.resolve(),
  }
}

test('tables of a run know of each other, and each is answered for as alone', () => {
  const items = [
    { request: staging('shop.orders'), table: orders },
    { request: staging('shop.customers'), table: customers },
  ]
  const generations = createRun(items, context).map((table) => table.generate())
  expect(generations).toEqual(generateEach(items, context))
  expect(generations[0]?.tests).toContain('relationships')
})

test('what is wrong with one table leaves the others be', async () => {
  const [good, strange, empty] = createRun(
    [
      { request: staging('shop.orders'), table: orders },
      { request: staging('shop.customers', { loader: 'none-such' }), table: customers },
      { request: staging('shop.empty'), table: { schema: 'shop', name: 'empty', columns: [] } },
    ],
    context,
  )
  expect(good?.generate().code).toContain('orders')
  expect(() => strange?.check()).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  expect(() => empty?.generate()).toThrow(expect.objectContaining({ code: 'INVALID_SOURCE' }))
  await expect(strange?.edit()).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('without a backend an edit costs nothing and changes nothing', async () => {
  const item = { request: staging('shop.orders'), table: orders }
  const [table] = createRun([item], context)
  expect(await table?.edit()).toEqual({ item, meta: { tokensUsed: 0 } })
})

test('requests of one schema are read by one query', async () => {
  const catalog = memoryCatalog([customers, orders])
  const requests = ['shop.orders', 'shop.Customers', 'shop.none', 'shop..x'].map((name) => staging(name))
  const outcomes = await readRequests(requests, { ...context, catalog })
  expect(catalog.asked).toEqual(['tables shop', 'describe none'])
  expect(outcomes).toEqual([
    { item: { request: staging('shop.orders'), table: orders } },
    { item: { request: staging('shop.customers'), table: customers } },
    { error: expect.objectContaining({ code: 'INVALID_SOURCE' }) },
    { error: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
  ])
})

test('an item that was kept as text is the same item', () => {
  const edit = {
    description: 'Orders.',
    columns: new Map([[2, { name: 'buyer_id', description: null, operation: null, tests: [] }]]),
  }
  const item = { request: staging('shop.orders'), table: orders, edit, notes: [] } as never
  expect(parseItem(printItem(item))).toEqual(item)
  const generate = (one: never) => createRun([one], context)[0]?.generate()
  expect(generate(parseItem(printItem(item)) as never)).toEqual(generate(item))
  expect(generate(item)?.code).toContain('buyer_id')
})

test('names a model by its source alone', () => {
  expect(nameModel({ type: 'staging', source: 'raw.stripe.payment' }, context)).toBe('stg_stripe__payments')
  expect(
    nameModel({ type: 'staging', source: 'orders' }, { ...context, config: { defaultSchema: 'shop' } }),
  ).toBe('stg_shop__orders')
  expect(() => nameModel({ type: 'staging', source: 'a..b' }, context)).toThrow(/source: expected/)
})
