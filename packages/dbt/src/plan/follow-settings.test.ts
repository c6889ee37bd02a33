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
    'sources.SHOP.tables.Orders in the configuration is called orders_2026 in the warehouse now, so that its settings hold for that; rename the key to orders_2026'
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
    'stg_shop__orders selects amoun',
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
      'sources.SHOP.tables.orders.columns.amount in the configuration is called amount_paid in the warehouse now, so that its settings hold for that; rename the key to amount_paid',
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
