import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, pretendProject } from '../testing/pretend-project.ts'

function table(name: string, ...columns: readonly string[]): Table {
  return {
    schema: 'shop',
    name,
    primaryKey: ['id'],
    columns: ['id integer', ...columns].map((text) => {
      const [column = '', type = '', ...comment] = text.split(' ')
      return { name: column, type, ...(comment.length > 0 && { comment: comment.join(' ') }) }
    }),
  }
}

const ORDERS = table('orders', 'customer_id integer', 'amount numeric')
const CUSTOMERS = table('customers', 'email text')
const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const MODELS = 'models/staging/shop/_shop__models.yml'
const SOURCES = 'models/staging/shop/_shop__sources.yml'

test('creates what is not there, and then has nothing to do', async () => {
  const project = pretendProject()
  const first = await project.apply([ORDERS, CUSTOMERS])
  expect(actionsOf(first)).toEqual({
    '_shop__models.yml': 'create',
    '_shop__sources.yml': 'create',
    'stg_shop__customers.sql': 'create',
    'stg_shop__orders.sql': 'create',
  })
  expect(first.tables.map(({ state }) => state)).toEqual(['new', 'new'])
  const again = await project.plan([ORDERS, CUSTOMERS])
  expect(actionsOf(again)).toEqual({})
  expect(again.lock).toEqual(project.lock())
  expect(actionsOf(await project.plan([ORDERS], { only: ['orders'], fresh: true }))).toEqual({})
})

test('updates what nobody changed, also from a part of the tables', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'tax numeric What the state takes.')
  const other = pretendProject()
  await other.apply([wider, CUSTOMERS])
  const plan = await project.apply([wider, CUSTOMERS], { only: ['orders'], fresh: true })
  expect(actionsOf(plan)).toEqual({
    '_shop__models.yml': 'update',
    '_shop__sources.yml': 'update',
    'stg_shop__orders.sql': 'update',
  })
  expect(plan.tables).toMatchObject([{ state: 'known', drifts: [{ kind: 'added', column: 'tax' }] }])
  expect(project.files).toEqual(other.files)
})

test('brings changes into files that a person changed, and nothing else', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const edit = (path: string, from: string, to: string): void => {
    const text = project.files.get(path) ?? ''
    expect(text).toContain(from)
    project.files.set(path, text.replace(from, to))
  }
  edit(MODEL, 'amount\n', 'amount / 100 as amount -- cents\n')
  edit(
    MODELS,
    '      - name: customer_id\n',
    '      - name: customer_id # by hand\n        description: Who bought.\n',
  )
  edit(SOURCES, 'sources:', '# ours\nsources:')
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'tax numeric What the state takes.')
  const before = new Map(project.files)
  const plan = await project.apply([wider, CUSTOMERS], { fresh: true })
  expect(actionsOf(plan)).toEqual({
    '_shop__models.yml': 'merge',
    '_shop__sources.yml': 'merge',
    'stg_shop__orders.sql': 'merge',
  })
  /** Lines that were not there before; all others stand in their order. */
  const added = (path: string): readonly string[] => {
    const old = (before.get(path) ?? '').replace('as amount --', 'as amount, --').split('\n')
    const now = (project.files.get(path) ?? '').split('\n')
    const rest = now.filter((line) => line !== old[0] || old.shift() === undefined)
    expect(old).toEqual([])
    return rest.filter((line) => line !== '')
  }
  expect(added(MODEL)).toEqual(['        tax'])
  expect(added(MODELS).join('\n')).toMatch(/^ {6}- name: tax\n {8}description: What the state takes\.$/)
  expect(added(SOURCES).join('\n')).toContain('- name: tax')
  expect(actionsOf(await project.plan([wider, CUSTOMERS]))).toEqual({})
})

test('a table that is new goes into the file that declares its source by hand', async () => {
  const sources = `version: 2\n\nsources:\n  - name: raw_shop   # the shop\n    schema: shop\n    tables:\n      - name: customers\n        description: Ours.\n`
  const model = "select * from {{ source('raw_shop', 'customers') }} -- mine\n"
  const project = pretendProject({
    'models/all_sources.yml': sources,
    'models/crm/customers_base.sql': model,
  })
  const plan = await project.apply([ORDERS, CUSTOMERS])
  expect(actionsOf(plan)).toEqual({
    'all_sources.yml': 'merge',
    'customers_base.sql': 'foreign',
    'stg_raw_shop__orders.sql': 'create',
    '_raw_shop__models.yml': 'create',
  })
  expect(project.files.get('models/all_sources.yml')?.startsWith(sources.trimEnd())).toBe(true)
  expect(project.files.get('models/staging/raw_shop/stg_raw_shop__orders.sql')).toContain(
    "source('raw_shop', 'orders')",
  )
  expect(project.files.get('models/crm/customers_base.sql')).toBe(model)
  expect(project.files.get('models/staging/raw_shop/_raw_shop__models.yml')).not.toContain('customers_base')
  expect(actionsOf(await project.plan([ORDERS, CUSTOMERS]))).toEqual({ 'customers_base.sql': 'foreign' })
})

test('a model that was moved is the model of its table', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const text = project.files.get(MODEL) ?? ''
  project.files.delete(MODEL)
  project.files.set('models/orders/orders.sql', `-- moved\n${text}`)
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'tax numeric')
  const plan = await project.apply([wider, CUSTOMERS])
  expect(actionsOf(plan)['orders.sql']).toBe('merge')
  expect(project.files.get('models/orders/orders.sql')).toContain('        amount,\n        tax\n')
  expect([...project.files.keys()].filter((path) => path.endsWith('.sql'))).toHaveLength(2)
  expect(actionsOf(await project.plan([wider, CUSTOMERS], { prune: true }))).toEqual({})
})

test('keeps columns, entries and files whose origin is gone until they are pruned', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const narrower = table('orders', 'amount numeric')
  const before = new Map(project.files)
  const kept = await project.apply([narrower])
  expect(project.files).toEqual(before)
  expect(kept.tables).toMatchObject([
    { source: 'shop.customers', state: 'gone' },
    { source: 'shop.orders', drifts: [{ kind: 'removed', column: 'customer_id' }] },
  ])
  expect(kept.warnings).toMatchObject([
    {
      code: 'COLUMN_GONE',
      message: expect.stringContaining('shop.orders has no customer_id any more') as string,
    },
  ])
  expect(actionsOf(kept)['stg_shop__customers.sql']).toBe('orphan')
  await project.apply([narrower], { prune: true })
  const other = pretendProject()
  await other.apply([narrower])
  expect(project.files).toEqual(other.files)
  expect([...project.lock().keys()]).toEqual(['shop.orders'])
})

test('does not remove what a person changed', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  const path = 'models/staging/shop/stg_shop__customers.sql'
  project.files.set(path, `${project.files.get(path)}-- ours\n`)
  project.files.set(
    MODEL,
    (project.files.get(MODEL) ?? '').replace('customer_id,', 'customer_id + 1 as customer_id,'),
  )
  const narrower = table('orders', 'amount numeric')
  const plan = await project.plan([narrower], { prune: true })
  expect(plan.files.find((file) => file.path === path)).toMatchObject({
    action: 'orphan',
    notes: ['edited by hand, so it is not removed'],
  })
  expect(plan.files.find((file) => file.path === MODEL)).toMatchObject({
    action: 'conflict',
    conflicts: [{ kind: 'column', column: 'customer_id', reason: 'removed_but_changed' }],
  })
  await project.apply([narrower], { prune: true, settlement: 'theirs' })
  expect(project.files.get(MODEL)).not.toContain('customer_id')
  expect(project.files.has(path)).toBe(true)
})

test('a faulty file stands in the way of nothing else', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  project.files.set(SOURCES, `${project.files.get(SOURCES)}  bad: [\n`)
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'tax numeric')
  const plan = await project.plan([wider, CUSTOMERS])
  expect(actionsOf(plan)).toMatchObject({
    'stg_shop__orders.sql': 'update',
    '_shop__sources.yml': 'conflict',
  })
  expect(plan.files.find(({ path }) => path === SOURCES)?.conflicts[0]).toMatchObject({
    kind: 'yaml',
    path: SOURCES,
  })
})

test('a name that another model has is not taken', async () => {
  const project = pretendProject({ 'models/other/stg_shop__orders.sql': 'select 1 as a' })
  const plan = await project.plan([ORDERS])
  expect(plan.files.find(({ path }) => path === MODEL)).toMatchObject({
    action: 'conflict',
    after: undefined,
    conflicts: [{ kind: 'name', path: 'models/other/stg_shop__orders.sql' }],
  })
})

test('what a later version or other options generate reaches files that nobody changed, in a fresh clone too', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  project.files.set(MODEL, (project.files.get(MODEL) ?? '').replace('amount\n', 'amount -- in euros\n'))
  const config = { options: { leadingCommas: true } }
  const plan = await project.apply([ORDERS, CUSTOMERS], { config })
  expect(actionsOf(plan)).toEqual({ 'stg_shop__customers.sql': 'update' })
  expect(project.files.get(MODEL)).toContain('amount -- in euros')
})

test('leaves the entries of a table that is no longer followed, in files of others too', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  project.forget('shop.customers')
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'tax numeric')
  await project.apply([wider])
  const yaml = [...project.files].filter(([path]) => path.endsWith('.yml')).map(([, text]) => text)
  expect(yaml.filter((text) => text.includes('name: stg_shop__customers'))).toHaveLength(1)
  expect(yaml.filter((text) => text.includes('name: customers'))).toHaveLength(1)
  expect(actionsOf(await project.plan([wider]))).toEqual({})
})

test('keeps what the rows were found to keep until they are looked at again', async () => {
  const project = pretendProject()
  const observed = { rows: 500, key: { columns: ['customer_id'], confidence: 0.97 } }
  const { primaryKey: _, ...orders } = table('orders', 'customer_id integer', 'amount numeric')
  await project.apply([{ ...orders, columns: orders.columns.slice(1), observed }])
  expect([...project.files.values()].some((text) => text.includes('- unique'))).toBe(true)
  const plain = { ...orders, columns: orders.columns.slice(1) }
  expect(actionsOf(await project.plan([plain]))).toEqual({})
  expect((await project.plan([plain])).lock).toEqual(project.lock())
  await project.apply([{ ...orders, columns: orders.columns.slice(2) }], { prune: true })
  expect([...project.files.values()].some((text) => text.includes('- unique'))).toBe(false)
})

test('warns of tests on columns that a person renamed in the SQL alone', async () => {
  const project = pretendProject()
  const orders = table('orders', 'amount numeric')
  await project.apply([orders])
  const sql = project.files.get(MODEL) ?? ''
  project.files.set(MODEL, sql.replace('id as order_id', 'id as number'))
  const warnings = async () => (await project.plan([orders])).warnings.map(({ code }) => code)
  expect(await warnings()).toContain('COLUMN_NOT_SELECTED')
  project.files.set(MODELS, (project.files.get(MODELS) ?? '').replace('name: order_id', 'name: number'))
  expect(await warnings()).not.toContain('COLUMN_NOT_SELECTED')
})
