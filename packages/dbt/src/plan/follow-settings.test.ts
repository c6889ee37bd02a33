import type { ColumnConfig, Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, pretendProject, type PretendProject } from '../testing/pretend-project.ts'

/** A table of `shop` with whole numbers in its columns. */
const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
  primaryKey: ['id'],
})

/** Settings of one table, and of its columns. */
const configOf = (name: string, columns: Readonly<Record<string, ColumnConfig>>): Config => ({
  sources: { SHOP: { tables: { [name]: { description: 'What was sold.', columns } } } },
})

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const CENTS = 'cast(amount / 100.0 as numeric(16, 2)) as amount'
const ORDERS = table('orders', 'amount', 'tax')

async function expectNothingLeft(
  project: PretendProject,
  tables: readonly Table[],
  config: Config,
): Promise<readonly string[]> {
  const plan = await project.plan(tables, { config })
  expect(actionsOf(plan)).toEqual({})
  expect(plan.lock).toEqual(project.lock())
  return [...plan.warnings, ...plan.models.flatMap(({ warnings }) => warnings)].map(({ message }) => message)
}

test('settings of a table that was renamed hold until their key is renamed too', async () => {
  const project = pretendProject()
  const config = configOf('Orders', { amount: { as: 'cents', name: 'amount' } })
  await project.apply([ORDERS], { config })
  const before = project.files.get(MODEL)
  expect(before).toContain(CENTS)
  const renamed = table('orders_2026', 'amount', 'tax')
  const plan = await project.apply([renamed], { config })
  expect(project.files.get(MODEL)).toBe(before)
  expect(plan.warnings.map(({ code }) => code)).toEqual(['TABLE_RENAMED', 'CONFIG_NOT_USED'])
  const advice =
    'sources.SHOP.tables.Orders in the configuration is called orders_2026 in the warehouse now; its settings still apply; rename the key to orders_2026'
  expect(await expectNothingLeft(project, [renamed], config)).toEqual([advice])
  const again = table('orders_2027', 'amount', 'tax')
  await project.apply([again], { config })
  expect(await expectNothingLeft(project, [again], config)).toEqual([
    advice.replaceAll('orders_2026', 'orders_2027'),
  ])
  const mended = configOf('orders_2027', { amount: { as: 'cents', name: 'amount' } })
  await project.apply([again], { config: mended })
  expect(project.files.get(MODEL)).toBe(before)
  expect(project.lock().get('shop.orders_2027')?.former).toBeUndefined()
  expect(await expectNothingLeft(project, [again], mended)).toEqual([])
})

test('settings are those of the table that has the name, as soon as there is one', async () => {
  const project = pretendProject()
  const config = configOf('orders', { amount: { as: 'cents', name: 'amount' } })
  await project.apply([ORDERS], { config })
  const renamed = table('orders_2026', 'amount', 'tax')
  await project.apply([renamed], { config })
  const plan = await project.apply([renamed, table('orders', 'amount')], { config })
  const [twin, ...others] = plan.files.filter(({ action }) => action === 'create')
  expect(others).toEqual([])
  expect(twin).toMatchObject({ path: MODEL.replace('orders.sql', 'orders_2.sql') })
  expect(twin?.after).toContain('cast(amount / 100.0')
  expect(plan.warnings.map(({ code, message }) => [code, message.slice(0, 30)])).toContainEqual([
    'VALUES_CHANGED',
    'stg_shop__orders will select a',
  ])
  expect(project.files.get(MODEL)).not.toContain(CENTS)
})

for (const fresh of [false, true])
  test(`settings of a column that was renamed hold, also in a model that a person changed${fresh ? ', in a fresh clone' : ''}`, async () => {
    const project = pretendProject()
    const config = configOf('orders', { amount: { as: 'cents' }, gone: { as: 'text' } })
    await project.apply([ORDERS], { config })
    const own = (project.files.get(MODEL) ?? '').replace(/( +)tax\n/, '$1tax, -- with duty\n$11 as own\n')
    project.files.set(MODEL, own)
    const renamed = table('orders', 'amount_paid', 'tax')
    const plan = await project.apply([renamed], { config, fresh })
    expect(actionsOf(plan)).toMatchObject({ 'stg_shop__orders.sql': 'merge' })
    expect(project.files.get(MODEL)).toBe(own.replace('cast(amount /', 'cast(amount_paid /'))
    expect(plan.warnings.map(({ code }) => code)).toEqual(['CONFIG_NOT_USED'])
    expect(await expectNothingLeft(project, [renamed], config)).toEqual([
      'sources.SHOP.tables.orders.columns.amount in the configuration is called amount_paid in the warehouse now; its settings still apply; rename the key to amount_paid',
      'sources.SHOP.tables.orders.columns.gone in the configuration has no effect: the table has no such column',
    ])
    const again = table('orders', 'paid_amount', 'tax')
    await project.apply([again], { config, fresh })
    expect(project.files.get(MODEL)).toContain('cast(paid_amount / 100.0')
    const mended = configOf('orders', { paid_amount: { as: 'cents' } })
    await project.apply([again], { config: mended, fresh })
    expect(project.files.get(MODEL)).toContain('cast(paid_amount / 100.0')
    expect(await expectNothingLeft(project, [again], mended)).toEqual([])
  })

test('a table and its column may be renamed at once, and the lock says so to a copy of the project', async () => {
  const project = pretendProject()
  const config = configOf('orders', { amount: { as: 'cents', name: 'amount' } })
  await project.apply([table('orders', 'amount', 'tax', 'fee')], { config })
  const renamed = table('orders_2026', 'amount', 'tax', 'fee')
  await project.apply([renamed], { config })
  const both = table('orders_2026', 'amount_paid', 'tax', 'fee')
  await project.apply([both], { config })
  expect(project.files.get(MODEL)).toContain('cast(amount_paid / 100.0 as numeric(16, 2)) as amount')
  expect(project.lock().get('shop.orders_2026')?.former).toEqual({
    table: 'orders',
    columns: { amount_paid: 'amount' },
  })
  expect(await expectNothingLeft(project, [both], config)).toHaveLength(2)
})

/** Every setting that names a column, by the names of columns. */
const everywhere = (
  column: Readonly<Record<'region' | 'number' | 'loaded' | 'buyer' | 'code', string>>,
): Config => ({
  packages: ['dbt_utils'],
  naming: { renames: { [column.code]: 'currency' } },
  sources: {
    shop: {
      tables: {
        orders: {
          key: [column.region, column.number],
          loadedAt: column.loaded,
          naming: { renames: { [column.number]: 'order_no' } },
          columns: { [column.buyer]: { references: `people.${column.region}` } },
        },
        people: { key: [column.region] },
        bills: { columns: { buyer: { references: `shop.people.${column.region}` } } },
      },
    },
  },
})

const names = { region: 'region', number: 'number', loaded: 'loaded', buyer: 'buyer', code: 'code' }
const now = { region: 'area', number: 'num', loaded: 'came', buyer: 'client', code: 'iso' }

const schema = (column: typeof names): readonly Table[] => [
  {
    schema: 'shop',
    name: 'orders',
    // a rename is told by its neighbours
    columns: Object.values(column).flatMap((name, at) => [
      { name, type: name === column.loaded ? 'timestamp' : 'integer' },
      { name: `beside_${at}`, type: 'integer' },
    ]),
  },
  {
    ...table('people'),
    columns: ['first', column.region, 'last'].map((name) => ({ name, type: 'integer' })),
  },
  table('bills', 'buyer', 'sum'),
]

test('every setting that names a column follows it: keys, times, references, names of one table and of all', async () => {
  const project = pretendProject()
  const config = everywhere(names)
  await project.apply(schema(names), { config })
  const yaml = (): string => project.files.get('models/staging/shop/_shop__models.yml') ?? ''
  const before = yaml()
  expect(before).toContain("to: ref('stg_shop__people')")
  expect(before).toContain('unique_combination_of_columns')
  const plan = await project.apply(schema(now), { config })
  const advice = plan.warnings.map(({ code, message }) => `${code} ${message}`).toSorted()
  expect(advice).toMatchInlineSnapshot(`
    [
      "CONFIG_NOT_USED naming.renames.code in the configuration is called iso in shop.orders now; the name still applies there; add the key iso there",
      "CONFIG_NOT_USED sources.shop.tables.bills.columns.buyer.references in the configuration names shop.people.region, which is shop.people.area in the warehouse now; the setting still applies; write shop.people.area there",
      "CONFIG_NOT_USED sources.shop.tables.orders.columns.buyer in the configuration is called client in the warehouse now; its settings still apply; rename the key to client",
      "CONFIG_NOT_USED sources.shop.tables.orders.columns.buyer.references in the configuration names people.region, which is people.area in the warehouse now; the setting still applies; write people.area there",
      "CONFIG_NOT_USED sources.shop.tables.orders.key in the configuration names number, which is num in the warehouse now; the setting still applies; write num there",
      "CONFIG_NOT_USED sources.shop.tables.orders.key in the configuration names region, which is area in the warehouse now; the setting still applies; write area there",
      "CONFIG_NOT_USED sources.shop.tables.orders.loadedAt in the configuration names loaded, which is came in the warehouse now; the setting still applies; write came there",
      "CONFIG_NOT_USED sources.shop.tables.orders.naming.renames.number in the configuration is called num in the warehouse now; its settings still apply; rename the key to num",
      "CONFIG_NOT_USED sources.shop.tables.people.key in the configuration names region, which is area in the warehouse now; the setting still applies; write area there",
    ]
  `)
  expect(project.files.get(MODEL)).toContain('num as order_no')
  expect(project.files.get(MODEL)).toContain('iso as currency')
  expect(project.files.get('models/staging/shop/_shop__sources.yml')).toContain('loaded_at_field: came')
  const expected = before
    .replaceAll('region', 'area')
    .replaceAll('number', 'num')
    .replace(/(stg_shop__orders[^]*)buyer/, '$1client')
    .replace('loaded_at', 'came')
  expect(yaml()).toBe(expected)
  for (const _ of [1, 2]) {
    const again = await expectNothingLeft(project, schema(now), config)
    expect(again.map((message) => `CONFIG_NOT_USED ${message}`).toSorted()).toEqual(advice)
    await project.apply(schema(now), { config })
  }
  const files = new Map(project.files)
  await project.apply(schema(now), { config: everywhere(now) })
  expect(project.files).toEqual(files)
  expect(await expectNothingLeft(project, schema(now), everywhere(now))).toEqual([])
  expect([...project.lock().values()].flatMap(({ former }) => former ?? [])).toEqual([])
})

test('what refers to a table that was renamed refers to it by its name of now', async () => {
  const project = pretendProject()
  const config: Config = {
    sources: { shop: { tables: { orders: { columns: { tax: { references: 'people.id' } } } } } },
  }
  const people = (name: string): Table => table(name, 'first', 'last', 'mail')
  await project.apply([ORDERS, people('people')], { config })
  const yaml = (): string | undefined => project.files.get('models/staging/shop/_shop__models.yml')
  const before = yaml()
  expect(before).toContain("to: ref('stg_shop__people')")
  const tables = [ORDERS, people('persons')]
  const plan = await project.apply(tables, { config })
  expect(plan.warnings.map(({ code }) => code)).toEqual(['TABLE_RENAMED', 'CONFIG_NOT_USED'])
  expect(yaml()).toBe(before)
  expect(await expectNothingLeft(project, tables, config)).toEqual([
    'sources.shop.tables.orders.columns.tax.references in the configuration names people.id, which is persons.id in the warehouse now; the setting still applies; write persons.id there',
  ])
})
