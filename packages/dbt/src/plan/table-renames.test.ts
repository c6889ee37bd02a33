import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, pretendProject } from '../testing/pretend-project.ts'
import { refusals } from '../testing/refusals.ts'

const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
  primaryKey: ['id'],
})

const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const SOURCES = 'models/staging/shop/_shop__sources.yml'

const [ORDERS, RENAMED] = [table('orders', 'amount', 'tax'), table('orders_2026', 'amount', 'tax')]
const CUSTOMERS = table('customers', 'email')

for (const prune of [false, true])
  test(`a table that was renamed keeps its model and its name in dbt${prune ? ', also when what is gone is removed' : ''}`, async () => {
    const project = pretendProject()
    await project.apply([ORDERS, CUSTOMERS])
    const edited = (project.files.get(MODEL) ?? '').replace('amount,', 'amount / 100 as amount, -- cents')
    project.files.set(MODEL, edited)
    project.files.set(
      SOURCES,
      (project.files.get(SOURCES) ?? '').replace('- name: orders\n', '- name: orders # Mei\n'),
    )
    const before = new Map(project.files)
    const plan = await project.apply([RENAMED, CUSTOMERS], { prune })
    expect(plan.tables).toMatchObject([
      { source: 'shop.customers', state: 'known', drifts: [] },
      {
        source: 'shop.orders_2026',
        model: 'stg_shop__orders',
        state: 'known',
        drifts: [{ kind: 'renamed', column: undefined, before: 'orders', after: 'orders_2026' }],
      },
    ])
    expect(plan.warnings.map(({ code }) => code)).toEqual(['TABLE_RENAMED'])
    const expected = (before.get(SOURCES) ?? '').replace(
      '- name: orders # Mei\n',
      '- name: orders # Mei\n        identifier: orders_2026\n',
    )
    expect(project.files).toEqual(new Map([...before, [SOURCES, expected]]))
    expect([...project.lock().keys()]).toEqual(['shop.customers', 'shop.orders_2026'])
    for (const fresh of [false, true]) {
      const again = await project.plan([RENAMED, CUSTOMERS], { prune, fresh })
      expect(actionsOf(again)).toEqual({})
      expect(again.warnings).toEqual([])
    }
    const wider = table('orders_2026', 'amount', 'tax', 'fee')
    await project.apply([wider, CUSTOMERS])
    expect(project.files.get(MODEL)).toContain('-- cents')
    expect(project.files.get(MODEL)).toMatch(/^ +fee$/m)
    expect(project.files.get(MODELS)).toContain('- name: order_id\n')
  })

for (const [name, other] of [
  ['orders_2026', 'the new table'],
  ['orders', 'the former one'],
] as const)
  test(`a rename is told where only ${other} is asked for, and nothing else is planned`, async () => {
    const project = pretendProject()
    await project.apply([ORDERS, CUSTOMERS, table('bills', 'sum')])
    const now = [RENAMED, table('customers', 'email', 'phone'), table('baskets', 'weight', 'size')]
    const plan = await project.apply(now, { only: [name], prune: true })
    expect(plan.tables).toMatchObject([
      { source: 'shop.orders_2026', model: 'stg_shop__orders', drifts: [{ kind: 'renamed' }] },
    ])
    expect(plan.warnings.map(({ code }) => code)).toEqual(['TABLE_RENAMED'])
    expect(actionsOf(plan)).toEqual({ '_shop__sources.yml': 'update' })
    expect([...project.lock().keys()].toSorted()).toEqual([
      'shop.bills',
      'shop.customers',
      'shop.orders_2026',
    ])
    expect(actionsOf(await project.plan(now, { only: ['orders_2026'] }))).toEqual({})
  })

test('rivals of a rename count where they were not asked for', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, table('bills', 'amount', 'tax')])
  const of = (...names: readonly string[]): readonly Table[] =>
    names.map((name) => table(name, 'amount', 'tax'))
  for (const [now, only] of [
    [of('bills', 'sales', 'deals'), 'sales'],
    [of('sales'), 'sales'],
    [of('bills', 'sales', 'deals'), 'orders'],
  ] as const) {
    const plan = await project.plan(now, { only: [only] })
    expect(plan.tables.map(({ source, state }) => [source, state])).toEqual([
      [`shop.${only}`, only === 'sales' ? 'new' : 'gone'],
    ])
    expect(plan.warnings).toEqual([])
  }
})

test('a person who declares the source, or moved the model, keeps both', async () => {
  const sources = `sources:
  - name: raw
    schema: shop
    tables:
      - name: orders
        identifier: orders # as stored
      - {name: customers}
`
  const project = pretendProject({ 'models/sources.yml': sources })
  await project.apply([ORDERS, CUSTOMERS])
  const text = project.files.get('models/staging/raw/stg_raw__orders.sql') ?? ''
  project.files.delete('models/staging/raw/stg_raw__orders.sql')
  project.files.set('models/my_orders.sql', text)
  await project.apply([ORDERS, CUSTOMERS])
  const before = new Map(project.files)
  await project.apply([RENAMED, table('clients', 'email')])
  // two columns are too few to tell that the customers are the clients
  expect(project.files.get('models/sources.yml')).toBe(
    sources.replace('identifier: orders #', 'identifier: orders_2026 #') +
      '      - name: clients\n        columns:\n          - name: id\n            data_type: integer\n          - name: email\n            data_type: integer\n',
  )
  expect(project.files.get('models/my_orders.sql')).toBe(before.get('models/my_orders.sql'))
  expect(actionsOf(await project.plan([RENAMED, table('clients', 'email')]))).toMatchObject({
    'stg_raw__customers.sql': 'orphan',
  })
})

test.each([
  ['two may be meant', [ORDERS, table('bills', 'amount', 'tax')], [table('sales', 'amount', 'tax')]],
  ['two are new', [ORDERS], [table('sales', 'amount', 'tax'), table('bills', 'amount', 'tax')]],
  ['a column is another one', [ORDERS], [table('orders_2026', 'amount', 'vat')]],
  ['few columns and another name', [CUSTOMERS], [table('clients', 'email')]],
  ['another schema', [ORDERS], [{ ...RENAMED, schema: 'crm' }]],
])('is no rename: %s', async (_, before, after) => {
  const project = pretendProject()
  await project.apply(before)
  const plan = await project.plan(after)
  expect(plan.tables.map(({ state }) => state).toSorted()).toEqual([
    ...before.map(() => 'gone'),
    ...after.map(() => 'new'),
  ])
  expect(plan.warnings).toEqual([])
})

test('of several that are alike, a word of the name tells', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, table('bills', 'amount', 'tax')])
  const plan = await project.plan([RENAMED, table('bills_2026', 'amount', 'tax')])
  expect(plan.tables.map(({ drifts: [drift] }) => drift?.before)).toEqual(['bills', 'orders'])
})

test('a column that is gone and that a person still reads is told, also when it is pruned', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  project.files.set(
    MODEL,
    (project.files.get(MODEL) ?? '')
      .replace(' amount,', ' amount / 100 as amount,')
      .replace(' tax\n', ' tax\n'),
  )
  const narrower = [table('orders')]
  const kept = await project.apply(narrower, { prune: true, settlement: 'ours' })
  expect(kept.warnings).toEqual([
    {
      code: 'COLUMN_GONE',
      message: `shop.orders no longer has amount, but stg_shop__orders still reads it, so dbt fails; remove it from ${MODEL}`,
    },
  ])
  expect(project.files.get(MODEL)).toContain('amount / 100')
  expect(project.files.get(MODEL)).not.toContain('tax')
})

test('a new table of the former name gets another one, and the renamed table keeps what it has', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  await project.apply([RENAMED, CUSTOMERS])
  const before = project.files.get(MODEL)
  const now = [RENAMED, table('orders', 'total'), CUSTOMERS]
  const plan = await project.apply(now)
  const paths = plan.files.map(({ path }) => path)
  expect(paths).toEqual([...new Set(paths)])
  const warnings = plan.models.flatMap((model) => model.warnings)
  expect(warnings.map(({ code, message }) => [code, message.slice(0, 48)])).toEqual([
    ['NAME_COLLISION', 'orders is modelled as stg_shop__orders_2, becaus'],
  ])
  expect(project.files.get(MODEL)).toBe(before)
  expect(project.files.get(MODEL.replace('orders.sql', 'orders_2.sql'))).toContain(
    "source('shop', 'orders_2')",
  )
  expect(project.files.get(SOURCES)).toContain('- name: orders\n        identifier: orders_2026\n')
  expect(project.files.get(SOURCES)).toContain('- name: orders_2\n        identifier: orders\n')
  expect(refusals(project.files)).toEqual([])
  for (const prune of [false, true]) expect(actionsOf(await project.plan(now, { prune }))).toEqual({})
})

test('a new table whose name differs in its case alone gets another one, whatever comes first', async () => {
  for (const [first, second] of [
    ['orders', 'ORDERS'],
    ['ORDERS', 'orders'],
  ] as const) {
    const project = pretendProject()
    const config = { sources: { shop: { tables: { [first]: { columns: { tax: { name: 'duty' } } } } } } }
    await project.apply([table(first, 'amount', 'tax')], { config })
    const before = project.files.get(MODEL)
    const both = [table(first, 'amount', 'tax'), table(second, 'amount', 'tax')]
    const plan = await project.apply(both, { config })
    expect(project.files.get(MODEL)).toBe(before)
    expect(actionsOf(plan)).toMatchObject({ 'stg_shop__orders_2.sql': 'create' })
    expect(plan.files.find(({ path }) => path.endsWith('orders_2.sql'))?.after).not.toContain('duty')
    for (const prune of [false, true])
      expect(actionsOf(await project.plan(both, { config, prune }))).toEqual({})
    await project.apply([both[1] ?? ORDERS], { config, prune: true })
    expect(project.files.has(MODEL)).toBe(false)
    expect(refusals(project.files)).toEqual([])
  }
})

test('a table whose name is spelled in another case keeps its model, also where its columns changed', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const plan = await project.apply([table('ORDERS', 'amount', 'tax', 'fee'), CUSTOMERS], { prune: true })
  expect(plan.tables.map(({ model, state }) => [model, state])).toEqual([
    ['stg_shop__orders', 'known'],
    ['stg_shop__customers', 'known'],
  ])
  expect(plan.warnings.map(({ message }) => message.slice(0, 63))).toEqual([
    'shop.orders is gone and shop.ORDERS has its name in another cas',
  ])
  expect(project.files.get(SOURCES)).toContain('- name: orders\n        identifier: ORDERS\n')
  expect(project.files.get(MODEL)).toContain('fee')
})

test('a table whose declaration a person moves to another schema keeps its model and its line of the lock', async () => {
  const project = pretendProject()
  const table = { schema: 'shop', name: 'orders', columns: [{ name: 'id', type: 'integer' }] }
  await project.apply([table])
  const [sources, model] = [...project.files.keys()].filter((path) => !path.endsWith('_models.yml'))
  for (const [path = '', change] of [
    [sources, (text: string) => text.replace('  - name: shop\n', '  - name: shop\n    schema: store\n')],
    [model, (text: string) => `-- by hand\n${text}`],
  ] as const)
    project.files.set(path, change(project.files.get(path) ?? ''))
  const files = new Map(project.files)
  const moved = { ...table, schema: 'store' }
  await project.apply([moved], { prune: true })
  expect(project.files).toEqual(files)
  expect([...project.lock().keys()]).toEqual(['store.orders'])
  expect((await project.plan([moved], { prune: true })).tables).toMatchObject([
    { state: 'known', drifts: [] },
  ])
})
