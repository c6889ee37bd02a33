import { type Catalog, type CatalogTable, StagecraftError } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../generate.ts'
import { createRun } from './create-run.ts'
import { parseItem, printItem } from './run-item.ts'
import { nameModel, readRequests } from '../engine/read-tables.ts'

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

test('tables of a run can refer to each other, and each is generated as if alone', () => {
  const items = [
    { request: staging('shop.orders'), table: orders },
    { request: staging('shop.customers'), table: customers },
  ]
  const generations = createRun(items, context).tables.map((table) => table.generate())
  expect(generations[1]).toEqual(generate(staging('shop.customers'), customers, context))
  expect(generations[0]?.tests).toContain('relationships')
})

test('a faulty table does not affect the others', async () => {
  const { tables } = createRun(
    [
      { request: staging('shop.orders'), table: orders },
      { request: staging('shop.customers', { loader: 'none-such' }), table: customers },
      { request: staging('shop.empty'), table: { schema: 'shop', name: 'empty', columns: [] } },
    ],
    context,
  )
  const [good, strange, empty] = tables
  expect(good?.generate().code).toContain('orders')
  expect(() => strange?.check()).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  expect(() => empty?.generate()).toThrow(expect.objectContaining({ code: 'INVALID_SOURCE' }))
  await expect(strange?.edit()).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('without a backend an edit costs nothing and changes nothing', async () => {
  const item = { request: staging('shop.orders'), table: orders }
  const [table] = createRun([item], context).tables
  expect(await table?.edit()).toEqual({ item, meta: { tokensUsed: 0 } })
})

test('requests for one schema are read with one query', async () => {
  const catalog = memoryCatalog([customers, orders])
  const requests = ['shop.orders', 'shop.Customers', 'shop.none', 'shop..x'].map((name) => staging(name))
  const outcomes = await readRequests(requests, { ...context, catalog })
  expect(catalog.asked).toEqual(['tables shop', 'describe none'])
  expect(outcomes).toEqual([
    { item: { request: staging('shop.orders'), table: { ...orders, dialect: catalog.dialect } } },
    { item: { request: staging('shop.customers'), table: { ...customers, dialect: catalog.dialect } } },
    { error: expect.objectContaining({ code: 'INVALID_SOURCE' }) },
    { error: expect.objectContaining({ code: 'INVALID_REQUEST' }) },
  ])
})

test('an item survives printing and parsing', () => {
  const edit = {
    description: 'Orders.',
    columns: new Map([[2, { name: 'buyer_id', description: null, operation: null, tests: [] }]]),
  }
  const item = { request: staging('shop.orders'), table: orders, edit, notes: [] } as never
  expect(parseItem(printItem(item))).toEqual(item)
  const print = (one: never) => createRun([one], context).tables[0]?.generate()
  expect(print(parseItem(printItem(item)) as never)).toEqual(print(item))
  expect(print(item)?.code).toContain('buyer_id')
})

test.each(['expression', 'operation'] as const)(
  'without casts, a proposed %s is left out with a warning',
  (kind) => {
    const converted = {
      expression: { sql: 'customer_id + 1', family: 'integer', dataType: 'bigint' },
      operation: 'cents',
    }
    const column = {
      name: 'buyer_id',
      description: null,
      operation: null,
      tests: [],
      [kind]: converted[kind],
    }
    const generationWith = (casts: string) => {
      const table = { ...orders, foreignKeys: undefined }
      const edit = { description: null, columns: new Map([[2, column]]) }
      return createRun(
        [{ request: staging('shop.orders', { casts }), table, edit }],
        context,
      ).tables[0]?.generate()
    }
    const plain = generationWith('none')
    expect(plain?.code).toMatch(/^ +customer_id as buyer_id$/m)
    expect(plain?.warnings).toMatchObject([
      {
        code: 'EDIT_NOT_USED',
        column: 'customer_id',
        message: expect.stringContaining('because casts is none'),
      },
    ])
    expect(generationWith('safe')?.code).toMatch(/^ +.*(?:\+ 1|\/ 100).* as buyer_id$/m)
    expect(generationWith('safe')?.warnings).toEqual([])
  },
)

test('a stored expression without a type is left to the rules', () => {
  const kept = (expression: unknown) => {
    const column = { name: null, description: null, operation: null, tests: [], expression }
    const edit = { description: null, columns: [[2, column]] }
    return parseItem(JSON.stringify({ request: staging('shop.orders'), table: orders, edit }))
  }
  const print = (expression: unknown) => createRun([kept(expression)], context).tables[0]?.generate().code
  const typed = { sql: 'customer_id + 1', family: 'integer', dataType: 'bigint' }
  expect(print(typed)).toContain('customer_id + 1')
  expect(print('customer_id + 1')).toBe(print(undefined))
})

test('names a model from its source alone', () => {
  expect(nameModel({ type: 'staging', source: 'raw.stripe.payment' }, context)).toBe('stg_stripe__payments')
  expect(
    nameModel({ type: 'staging', source: 'orders' }, { ...context, config: { defaultSchema: 'shop' } }),
  ).toBe('stg_shop__orders')
  expect(() => nameModel({ type: 'staging', source: 'a..b' }, context)).toThrow(/source: expected/)
})
