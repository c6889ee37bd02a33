import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Catalog,
  type CatalogTable,
  type NamePart,
  type SourceName,
  type Table,
  tableSchema,
} from '../../packages/spec/src/index.ts'

/** Where a catalog has the tables of packages/catalogs/fixtures/shop. */
interface ShopPlaces {
  /** Schema of the shop; default `shop`. */
  readonly shop: string
  /** Schema of `accounts`, whose foreign key leads into the shop; default `crm`. */
  readonly crm: string
  /** Where names without a schema are looked up: there is the table `settings`; default `public`. */
  readonly standard: string
  /** The database, where there is a level above schemas. */
  readonly database: string | undefined
}

/** What a catalog cannot have or say. */
interface Gap {
  readonly reason: string
  /** Titles of the tests that do not apply. */
  readonly tests?: readonly string[]
  /** Tables that are not there. */
  readonly tables?: readonly string[]
}

export interface CatalogSuiteOptions {
  readonly places?: Partial<ShopPlaces>
  readonly gaps?: readonly Gap[]
}

const DOTTED = 'dot.q"uote {{ braces }}'

const TABLES = [
  'Twin',
  'Weird Name',
  'customers',
  DOTTED,
  'größe',
  'open_orders',
  'order_lines',
  'orders',
  'select',
  'shipments',
  'twin',
]

const bare = (text: string): NamePart => ({ text, quoted: false })
const quoted = (text: string): NamePart => ({ text, quoted: true })

type Case = (catalog: Catalog, places: ShopPlaces) => Promise<void>

function source(schema: string, table: NamePart): SourceName {
  return { schema: quoted(schema), table }
}

async function shopTable(catalog: Catalog, { shop }: ShopPlaces, name: string): Promise<CatalogTable> {
  return catalog.describe(source(shop, quoted(name)))
}

function column(table: Table, name: string): Table['columns'][number] | undefined {
  return table.columns.find((one) => one.name === name)
}

const names = (tables: readonly CatalogTable[]): readonly string[] => tables.map(({ name }) => name)

/** The behaviour that every catalog has, by the title of its test. */
const CASES: Readonly<Record<string, Case>> = {
  'keeps the columns in their order': async (catalog, places) => {
    const { columns } = await shopTable(catalog, places, 'customers')
    expect(columns.map(({ name }) => name)).toEqual([
      'id',
      'email',
      'status',
      'level',
      'balance',
      'created_at',
    ])
  },

  'gives the precision of a type': async (catalog, places) => {
    const balance = column(await shopTable(catalog, places, 'customers'), 'balance')
    expect(balance?.type).toMatch(/^(?:decimal|numeric)\(12, ?2\)$/i)
  },

  'knows which columns are required': async (catalog, places) => {
    const { columns } = await shopTable(catalog, places, 'customers')
    const required = columns.filter(({ nullable }) => nullable === false).map(({ name }) => name)
    expect(required).toEqual(['id', 'status', 'created_at'])
  },

  'reads a default': async (catalog, places) => {
    const balance = column(await shopTable(catalog, places, 'customers'), 'balance')
    expect(balance?.default).toMatch(/^0(?:\.00)?$/)
  },

  'reads a primary key': async (catalog, places) => {
    expect((await shopTable(catalog, places, 'customers')).primaryKey).toEqual(['id'])
  },

  'reads a composite primary key in key order': async (catalog, places) => {
    const table = await shopTable(catalog, places, 'order_lines')
    expect(table.columns.map(({ name }) => name)).toEqual(['line_no', 'order_id', 'product'])
    expect(table.primaryKey).toEqual(['order_id', 'line_no'])
  },

  'reads unique keys': async (catalog, places) => {
    expect((await shopTable(catalog, places, 'customers')).uniqueKeys).toEqual([['email']])
    expect((await shopTable(catalog, places, 'order_lines')).uniqueKeys).toEqual([['order_id', 'product']])
  },

  'reads a foreign key': async (catalog, places) => {
    expect((await shopTable(catalog, places, 'orders')).foreignKeys).toEqual([
      {
        columns: ['customer_id'],
        references: { table: { schema: places.shop, name: 'customers' }, columns: ['id'] },
      },
    ])
  },

  'reads a composite foreign key in key order': async (catalog, places) => {
    const columns = ['order_id', 'line_no']
    expect((await shopTable(catalog, places, 'shipments')).foreignKeys).toEqual([
      { columns, references: { table: { schema: places.shop, name: 'order_lines' }, columns } },
    ])
  },

  'reads a foreign key into another schema': async (catalog, places) => {
    const { foreignKeys } = await catalog.describe(source(places.crm, quoted('accounts')))
    expect(foreignKeys).toEqual([
      {
        columns: ['customer_id'],
        references: { table: { schema: places.shop, name: 'customers' }, columns: ['id'] },
      },
    ])
  },

  'reads the values of a text': async (catalog, places) => {
    const status = column(await shopTable(catalog, places, 'customers'), 'status')
    expect(status?.values).toEqual(['active', "it's complicated", 'closed'])
  },

  'reads the values of a number': async (catalog, places) => {
    const level = column(await shopTable(catalog, places, 'customers'), 'level')
    expect(level?.values).toEqual([1, 2, 3])
  },

  'reads the comment of a table': async (catalog, places) => {
    expect((await shopTable(catalog, places, 'customers')).comment).toBe('People who buy')
  },

  'reads the comment of a column': async (catalog, places) => {
    const email = column(await shopTable(catalog, places, 'customers'), 'email')
    expect(email?.comment).toBe(`Where receipts go; it's "quoted"`)
  },

  'tells views from tables': async (catalog, places) => {
    const view = await shopTable(catalog, places, 'open_orders')
    expect([view.kind, view.columns.map(({ name }) => name)]).toEqual(['view', ['order_id', 'customer_id']])
    expect((await shopTable(catalog, places, 'orders')).kind ?? 'table').toBe('table')
  },

  'states where a table is': async (catalog, places) => {
    const { database, name, schema } = await shopTable(catalog, places, 'customers')
    expect([database, schema, name]).toEqual([places.database, places.shop, 'customers'])
  },

  'keeps awkward names of columns': async (catalog, places) => {
    const { columns } = await shopTable(catalog, places, 'Weird Name')
    expect(columns.map(({ name }) => name)).toEqual(['select', 'a.dot', 'q"uote', '{{ braces }}', 'größe'])
  },

  'finds a table named by a reserved word': async (catalog, places) => {
    expect((await shopTable(catalog, places, 'select')).name).toBe('select')
  },

  'finds a table with a dot, a quote and braces in its name': async (catalog, places) => {
    expect((await shopTable(catalog, places, DOTTED)).name).toBe(DOTTED)
  },

  'finds a table with letters beyond ASCII in its name': async (catalog, places) => {
    expect((await catalog.describe(source(places.shop, bare('GRÖßE')))).name).toBe('größe')
  },

  'finds an unquoted name in any case': async (catalog, places) => {
    expect((await catalog.describe(source(places.shop, bare('CUSTOMERS')))).name).toBe('customers')
    expect((await catalog.describe(source(places.shop, bare('weird name')))).name).toBe('Weird Name')
  },

  'finds a quoted name only as it is spelled': async (catalog, places) => {
    const wrong = catalog.describe(source(places.shop, quoted('CUSTOMERS')))
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
  },

  'prefers the very same name to one in other case': async (catalog, places) => {
    expect((await catalog.describe(source(places.shop, bare('twin')))).name).toBe('twin')
    expect((await catalog.describe(source(places.shop, bare('Twin')))).name).toBe('Twin')
    expect((await catalog.describe(source(places.shop, quoted('Twin')))).columns[0]?.name).toBe('upper')
  },

  'refuses an unquoted name that differs from two in case': async (catalog, places) => {
    await expect(catalog.describe(source(places.shop, bare('TWIN')))).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      message: expect.stringContaining('"Twin" or "twin"') as string,
    })
  },

  'looks a name without a schema up in the default schema': async (catalog, places) => {
    const { name, schema } = await catalog.describe({ table: bare('settings') })
    expect([schema, name]).toEqual([places.standard, 'settings'])
    expect(names(await catalog.tables({ tables: [bare('settings')] }))).toEqual(['settings'])
  },

  'takes the name of a schema for one': async (catalog, places) => {
    await expect(catalog.describe({ table: quoted(places.shop) })).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      message: expect.stringContaining(`${places.shop}.*`) as string,
    })
  },

  'takes the name of the database into account': async (catalog, places) => {
    const place = { schema: quoted(places.shop), table: quoted('customers') }
    const found = await catalog.describe({ ...place, database: quoted(places.database ?? '') })
    expect(found.name).toBe('customers')
    const elsewhere = { ...place, database: quoted('elsewhere') }
    await expect(catalog.describe(elsewhere)).rejects.toMatchObject({ code: 'INVALID_SOURCE' })
    expect(await catalog.tables({ database: quoted('elsewhere') })).toEqual([])
  },

  'selects named tables and leaves out those that are missing': async (catalog, places) => {
    const tables = [bare('orders'), bare('nothing'), quoted('customers'), quoted('orders')]
    const found = await catalog.tables({ schema: quoted(places.shop), tables })
    expect(names(found)).toEqual(['customers', 'orders'])
    expect(await catalog.tables({ schema: quoted('no such schema') })).toEqual([])
  },

  'describes a table the same alone and among others': async (catalog, places) => {
    const all = await catalog.tables({ schema: quoted(places.shop) })
    for (const table of all) expect(await shopTable(catalog, places, table.name)).toEqual(table)
  },

  'reads the whole catalog without the tables of the system': async (catalog, places) => {
    const all = await catalog.tables({})
    const schemas = new Set(all.map(({ schema }) => schema))
    expect([places.shop, places.crm, places.standard].every((schema) => schemas.has(schema))).toBe(true)
    expect([...schemas].filter((schema) => /^(?:information_schema|pg_.*|sys)$/.test(schema ?? ''))).toEqual(
      [],
    )
  },

  'describes tables of the shape that the spec has': async (catalog) => {
    for (const table of await catalog.tables({})) expect(tableSchema.parse(table)).toEqual(table)
  },

  'names the nearest tables for one that is missing': async (catalog, places) => {
    await expect(catalog.describe(source(places.shop, bare('custmoers')))).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      message: expect.stringContaining('custmoers') as string,
      details: { suggestion: expect.stringContaining('customers') as string },
    })
  },

  'names the nearest schemas for one that is missing': async (catalog, places) => {
    await expect(catalog.describe(source(`${places.shop}s`, bare('customers')))).rejects.toMatchObject({
      code: 'INVALID_SOURCE',
      details: { suggestion: expect.stringContaining(places.shop) as string },
    })
  },
}

/**
 * Runs the behaviour of the `Catalog` port against one implementation that holds the shop of
 * packages/catalogs/fixtures/shop. What it cannot have is declared, with the reason, in `gaps`.
 */
export function catalogSuite(
  name: string,
  open: () => Promise<Catalog>,
  { gaps = [], places = {} }: CatalogSuiteOptions = {},
): void {
  const where = { shop: 'shop', crm: 'crm', standard: 'public', database: undefined, ...places }
  const missing = new Set(gaps.flatMap(({ tables = [] }) => tables))
  const left = new Set(gaps.flatMap(({ tests = [] }) => tests))
  for (const title of left) if (!(title in CASES)) throw new Error(`no case "${title}" to leave out`)
  const cases = Object.entries(CASES).filter(([title]) => !left.has(title))

  describe(`catalog of ${name}`, () => {
    let catalog: Catalog
    beforeAll(async () => {
      catalog = await open()
    })
    afterAll(() => catalog.close())

    test('lists the tables of a schema in the order of their names', async () => {
      const tables = await catalog.tables({ schema: quoted(where.shop) })
      const found = names(tables).filter((table) => table !== 'settings') // where there is one schema for all
      expect(found).toEqual(TABLES.filter((table) => !missing.has(table)))
    })

    test.each(cases)('%s', async (_, run) => {
      expect.hasAssertions()
      await run(catalog, where)
    })

    test('may be closed more than once', async () => {
      const other = await open()
      await other.close()
      await expect(other.close()).resolves.toBeUndefined()
    })
  })
}
