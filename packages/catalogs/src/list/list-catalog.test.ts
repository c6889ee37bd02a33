import { type CatalogTable, type NamePart, StagecraftError, type TableSelector } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { listCatalog } from './list-catalog.ts'

const bare = (text: string): NamePart => ({ text, quoted: false })

/** Reads `a.b.c` without quotes; a `*` at the end stands for all tables. */
function selector(dotted: string): TableSelector {
  const parts = dotted.split('.').map(bare)
  const table = parts.pop()
  const schema = parts.pop()
  const database = parts.pop()
  const tables = table && table.text !== '*' ? { tables: [table] } : {}
  return { ...(database && { database }), ...(schema && { schema }), ...tables }
}

const table = (dotted: string): CatalogTable => {
  const [name = '', schema, database] = dotted.split('.').toReversed()
  return { ...(database && { database }), ...(schema && { schema }), name, columns: [] }
}

const print = ({ database, name, schema }: CatalogTable): string =>
  [database, schema, name].filter((part) => part !== undefined).join('.')

const NAMES = [
  'raw.stripe.payments',
  'raw.stripe.refunds',
  'raw.shop.orders',
  'lake.shop.orders',
  'events',
  'orders',
]
const catalog = listCatalog(NAMES.map(table), { dialect: undefined, origin: 'columns.yml' })

async function find(dotted: string): Promise<string> {
  const { tables, ...place } = selector(dotted)
  return print(await catalog.describe({ ...place, table: tables?.[0] ?? bare('') }))
}

describe('one table', () => {
  test.each([
    ['raw.stripe.payments', 'raw.stripe.payments'],
    ['stripe.payments', 'raw.stripe.payments'],
    ['payments', 'raw.stripe.payments'],
    ['RAW.Stripe.PAYMENTS', 'raw.stripe.payments'],
    ['orders', 'orders'],
    ['events', 'events'],
    ['any.where.events', 'events'],
    ['lake.shop.orders', 'lake.shop.orders'],
    ['elsewhere.orders', 'orders'],
  ])('finds %s', async (asked, found) => {
    await expect(find(asked)).resolves.toBe(found)
  })

  test.each([
    ['shop.orders', 'orders may be raw.shop.orders or lake.shop.orders; write the full name'],
    ['raw.stripe.paymnets', 'no table paymnets in the schema stripe of columns.yml; did you mean payments?'],
    ['shop.payments', 'did you mean raw.stripe.payments?'],
    ['Stripe', 'did you mean stripe.*?'],
    ['nothing', 'no table nothing in columns.yml; columns.yml has events, orders, payments, refunds'],
  ])('reports the fault of %s', async (asked, message) => {
    const failure = find(asked)
    await expect(failure).rejects.toThrow(message)
    await expect(failure).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
  })

  test('names the nearest schema if no table has the given one', async () => {
    const strict = listCatalog([table('stripe.payments')], { dialect: undefined, origin: 'x.yml' })
    const source = { schema: bare('stirpe'), table: bare('payments') }
    await expect(strict.describe(source)).rejects.toThrow(
      'source stirpe.payments: no schema stirpe in x.yml; did you mean stripe?',
    )
    await expect(strict.describe(source)).rejects.toBeInstanceOf(StagecraftError)
  })
})

describe('many tables', () => {
  test.each([
    [
      '*',
      [
        'events',
        'orders',
        'lake.shop.orders',
        'raw.shop.orders',
        'raw.stripe.payments',
        'raw.stripe.refunds',
      ],
    ],
    ['stripe.*', ['raw.stripe.payments', 'raw.stripe.refunds']],
    ['raw.shop.*', ['raw.shop.orders']],
    ['shop.*', ['lake.shop.orders', 'raw.shop.orders']],
    ['any.*', ['events', 'orders']],
    ['stripe.payments', ['raw.stripe.payments']],
    ['stripe.missing', []],
    ['shop.orders', []],
  ])('selects %s', async (asked, names) => {
    expect((await catalog.tables(selector(asked))).map(print)).toEqual(names)
  })

  test('returns each table once', async () => {
    const tables = await catalog.tables({
      schema: bare('stripe'),
      tables: [bare('payments'), bare('PAYMENTS')],
    })
    expect(tables.map(print)).toEqual(['raw.stripe.payments'])
  })
})

test('finds a table by its other names if its own does not match', async () => {
  const [own] = [table('raw.crm_eu.accounts_v2')]
  const aliases = own ? [{ schema: 'crm', name: 'accounts', table: own }] : []
  const named = listCatalog(own ? [own] : [], { dialect: undefined, origin: 'target', aliases })
  expect(await named.describe({ schema: bare('crm'), table: bare('accounts') })).toBe(own)
  expect(await named.tables({ schema: bare('crm') })).toEqual([own])
  expect(await named.tables({ schema: bare('crm'), tables: [bare('accounts')] })).toEqual([own])
})
