import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, pretendProject, type PretendProject } from '../testing/pretend-project.ts'
import { refusals } from '../testing/refusals.ts'

const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  primaryKey: ['id'],
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
})

const TABLES = [table('orders', 'amount', 'tax'), table('customers', 'email')]
const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const SOURCES = 'models/staging/shop/_shop__sources.yml'
const MOVED = 'models/staging/store/stg_store__orders.sql'
const MOVED_SOURCES = 'models/staging/store/_store__sources.yml'
const RENAMED: Config = { sources: { shop: { name: 'store' } } }

function edit({ files }: PretendProject, path: string, change: (text: string) => string): void {
  const text = files.get(path) ?? ''
  const edited = change(text)
  expect(edited).not.toBe(text)
  files.set(path, edited)
}

const halve = (text: string): string => text.replace(/( +)amount,\n/, '$1amount / 2 as amount, -- by hand\n')

async function expectSettled(
  project: PretendProject,
  tables: readonly Table[],
  config: Config,
): Promise<void> {
  expect(refusals(project.files)).toEqual([])
  for (const fresh of [false, true])
    expect(actionsOf(await project.plan(tables, { config, prune: true, fresh }))).toEqual({})
}

for (const fresh of [false, true])
  test(`an edited model moves with what a person wrote when its source is renamed${fresh ? ', in a fresh clone' : ''}`, async () => {
    const project = pretendProject()
    await project.apply(TABLES)
    edit(project, MODEL, halve)
    const before = project.files.get(MODEL) ?? ''
    const plan = await project.apply(TABLES, { config: RENAMED, prune: true, fresh })
    expect([...project.files.keys()].filter((path) => path.includes('/shop/'))).toEqual([])
    expect(project.files.get(MOVED)).toBe(before.replace("source('shop'", "source('store'"))
    expect(project.files.get(MOVED_SOURCES)).toContain('- name: store\n    schema: shop\n')
    const notes = new Map(plan.files.map((file) => [file.path, file.notes]))
    expect(notes.get(MOVED)).toEqual([`moved from ${MODEL}, with what was edited by hand`])
    expect(notes.get(MODEL)).toEqual([`moved to ${MOVED}`])
    await expectSettled(project, TABLES, RENAMED)
    const wider = [table('orders', 'amount', 'tax', 'fee'), table('customers', 'email')]
    await project.apply(wider, { config: RENAMED, fresh })
    expect(project.files.get(MOVED)).toContain('amount / 2 as amount, -- by hand')
    expect(project.files.get(MOVED)).toMatch(/^ +fee$/m)
    await expectSettled(project, wider, RENAMED)
  })

test('one that is in conflict stays where it is with the source that it reads, until that is settled', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, MODEL, halve)
  const before = project.files.get(MODEL)
  const cents: Config = {
    sources: { shop: { name: 'store', tables: { orders: { columns: { amount: { as: 'cents' } } } } } },
  }
  for (let round = 0; round < 2; round++) {
    const plan = await project.apply(TABLES, { config: cents, prune: true })
    const file = plan.files.find(({ path }) => path === MODEL)
    expect(file).toMatchObject({ action: 'conflict', conflicts: [{ kind: 'column', column: 'amount' }] })
    expect(file?.notes).toEqual([
      'is called stg_store__orders by the current configuration; it stays, because manual changes conflict with the generated ones',
    ])
    expect(project.files.get(MODEL)).toBe(before)
    expect(project.files.has(MOVED)).toBe(false)
    expect(project.files.get(SOURCES)).toContain('- name: orders')
    expect(project.files.get(SOURCES)).not.toContain('- name: customers')
    expect(refusals(project.files)).toEqual([])
  }
  await project.apply(TABLES, { config: cents, prune: true, settlement: 'ours' })
  expect(project.files.has(MODEL)).toBe(false)
  expect(project.files.has(SOURCES)).toBe(false)
  expect(project.files.get(MOVED)).toContain('amount / 2 as amount, -- by hand')
  await expectSettled(project, TABLES, cents)
})

test('without pruning the model stays, and reads the source by its new name', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, MODEL, halve)
  await project.apply(TABLES, { config: RENAMED })
  expect(project.files.get(MODEL)).toContain("source('store', 'orders')")
  expect(project.files.get(MODEL)).toContain('-- by hand')
  expect(project.files.has(SOURCES)).toBe(false)
  expect(refusals(project.files)).toEqual([])
  await project.apply(TABLES, { config: RENAMED, prune: true })
  expect(project.files.has(MODEL)).toBe(false)
  expect(project.files.get(MOVED)).toContain('-- by hand')
  await expectSettled(project, TABLES, RENAMED)
})

test('an entry of the former source stays while other SQL reads it, or a person wrote in it', async () => {
  const report = 'models/report.sql'
  const project = pretendProject()
  await project.apply(TABLES)
  project.files.set(report, "select * from {{ source('shop', 'customers') }}\n")
  edit(project, SOURCES, (text) =>
    text.replace('- name: orders\n', '- name: orders\n        description: Ask Mei.\n'),
  )
  const plan = await project.apply(TABLES, { config: RENAMED, prune: true })
  expect(project.files.get(SOURCES)).toContain('- name: customers')
  expect(project.files.get(SOURCES)).toContain('Ask Mei.')
  expect(plan.warnings.map(({ code }) => code)).toEqual(['SOURCE_STILL_READ', 'HAND_EDIT_KEPT'])
  await expectSettled(project, TABLES, RENAMED)
})

test('only the tables that were asked for take the new name', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  await project.apply(TABLES, { config: RENAMED, prune: true, only: ['orders'] })
  expect(project.files.get(SOURCES)).toContain('- name: customers')
  expect(project.files.get(SOURCES)).not.toContain('- name: orders')
  expect(refusals(project.files)).toEqual([])
  await project.apply(TABLES, { config: RENAMED, prune: true })
  expect(project.files.has(SOURCES)).toBe(false)
  await expectSettled(project, TABLES, RENAMED)
})

test('a table that the configuration calls otherwise in dbt is declared by that name', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, MODEL, halve)
  const config: Config = { sources: { shop: { tables: { orders: { name: 'purchases' } } } } }
  for (const prune of [false, true]) {
    await project.apply(TABLES, { config, prune })
    expect(refusals(project.files)).toEqual([])
    expect(project.files.get(SOURCES)).toContain('- name: purchases\n        identifier: orders\n')
    expect(project.files.get(SOURCES)).not.toContain('- name: orders\n')
  }
  expect([...project.files.values()].filter((text) => text.includes('-- by hand'))).toHaveLength(1)
  await expectSettled(project, TABLES, config)
})

test('a source that a person renamed in its file is followed there', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, SOURCES, (text) => text.replace('- name: shop\n', '- name: store # ours\n    schema: shop\n'))
  for (const [path, text] of project.files)
    if (path.endsWith('.sql')) project.files.set(path, text.replace("source('shop'", "source('store'"))
  await project.apply(TABLES)
  const wider = [table('orders', 'amount', 'tax', 'fee'), table('customers', 'email')]
  await project.apply(wider)
  expect(project.files.get(SOURCES)).toContain('- name: store # ours\n    schema: shop\n')
  expect(project.files.get(SOURCES)).toContain('- name: fee\n')
  expect(refusals(project.files)).toEqual([])
  expect(project.lock().get('shop.orders')?.source?.name).toBe('store')
})

test('a column that is renamed in an edited model keeps what is generated of the name that it has there', async () => {
  const project = pretendProject()
  const shaped = (name: string): Table => ({
    ...table('orders', 'amount', 'tax'),
    columns: [
      { name: 'id', type: 'integer' },
      { name: 'amount', type: 'integer' },
      { name, type: 'timestamp with time zone' },
      { name: 'tax', type: 'integer' },
    ],
  })
  const models = 'models/staging/shop/_shop__models.yml'
  await project.apply([shaped('created')])
  edit(project, MODEL, halve)
  const before = project.files.get(models)
  expect(before).toContain('When the order was created, in UTC.')
  await project.apply([shaped('Created On')])
  expect(project.files.get(MODEL)).toContain('"Created On" at time zone \'UTC\' as created_at')
  expect(project.files.get(models)).toBe(before)
  await expectSettled(project, [shaped('Created On')], {})
  const own = (project.files.get(MODEL) ?? '').replace(" at time zone 'UTC'", '')
  project.files.set(MODEL, own)
  await project.apply([shaped('Created On')])
  expect(project.files.get(models)).not.toContain('in UTC')
})

test('an entry with a comment of a person stays when its source is renamed', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  edit(project, SOURCES, (text) => text.replace('- name: customers', '- name: customers # ask Mei'))
  const plan = await project.apply(TABLES, { config: RENAMED })
  expect(project.files.get(SOURCES)).toContain('- name: customers # ask Mei\n')
  expect(project.files.get(SOURCES)).not.toContain('orders')
  expect(plan.files.find(({ path }) => path === SOURCES)?.notes).toEqual([
    'line 6: it contains a hand-written comment; it is kept',
  ])
  expect(actionsOf(await project.plan(TABLES, { config: RENAMED }))).toEqual({})
})

test('an adopted model is followed under the names by which it reads its table', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  project.forget('shop.orders')
  const { lock } = await project.plan(TABLES, { config: RENAMED, only: ['orders'], adopt: new Set([MODEL]) })
  expect(lock.get('shop.orders')?.source).toMatchObject({ path: SOURCES, name: 'shop', table: 'orders' })
  project.restore({ files: new Map(project.files), lock })
  const renamed = [table('purchases', 'amount', 'tax'), table('customers', 'email')]
  await project.apply(renamed, { config: RENAMED })
  expect(project.files.get(MODEL)).toContain("source('store', 'orders')")
  expect(project.files.get(MOVED_SOURCES)).toContain('- name: orders\n        identifier: purchases\n')
  expect(project.files.has(SOURCES)).toBe(false)
  expect(actionsOf(await project.plan(renamed, { config: RENAMED }))).toEqual({})
})

test('a table whose case changed still has the model of a person that reads it by another source name', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  project.forget('shop.customers')
  await project.apply(TABLES, { config: RENAMED })
  const spelled = [table('orders', 'amount', 'tax'), table('CUSTOMERS', 'email')]
  await project.apply(spelled, { config: RENAMED })
  expect([...project.files.keys()].filter((path) => path.endsWith('customers.sql'))).toHaveLength(1)
  expect(actionsOf(await project.plan(spelled, { config: RENAMED }))).toEqual({
    'stg_shop__customers.sql': 'foreign',
  })
})

const MODELS = 'models/staging/shop/_shop__models.yml'

for (const isNamed of [false, true])
  test(`a model under a person's name that is deleted again leaves its entry up to date${isNamed ? ', beside one of that name' : ''}`, async () => {
    const project = pretendProject()
    await project.apply(TABLES)
    const own = 'models/staging/shop/own.sql'
    project.files.set(own, project.files.get(MODEL) ?? '')
    project.files.delete(MODEL)
    if (isNamed) project.forget('shop.orders')
    else edit(project, MODELS, (text) => `# ours\n${text}`)
    await project.adopt(TABLES, { only: ['orders'], adopt: new Set([own]) })
    if (isNamed) await project.apply(TABLES, { only: ['orders'] })
    project.files.delete(own)
    const wider = [table('orders', 'fee', 'amount', 'tax'), table('customers', 'email')]
    await project.apply(wider)
    expect(project.files.get(MODELS)).toMatch(/^ +- name: fee$/m)
    expect(refusals(project.files)).toEqual([])
    expect(actionsOf(await project.plan(wider))).toEqual({})
  })

test('a plan of one table leaves the entry of another one whose model was deleted, whatever its new name', async () => {
  const project = pretendProject()
  await project.apply(TABLES)
  project.files.delete(MODEL)
  const config: Config = { naming: { types: { staging: { model: 'staging_{entity}' } } } }
  expect(actionsOf(await project.plan(TABLES, { config, only: ['customers'] }))).toEqual({})
  await project.apply(TABLES, { config })
  expect(project.files.get(MODELS)).toContain('- name: staging_orders')
  expect(actionsOf(await project.plan(TABLES, { config }))).toEqual({})
})
