import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'
import { refusals } from '../testing/refusals.ts'
import { moveEntry } from '../yaml/move-entry.ts'

// People move, split, rename and delete what was generated.

const table = (name: string, ...columns: readonly string[]): Table => ({
  schema: 'shop',
  name,
  primaryKey: ['id'],
  columns: ['id', ...columns].map((column) => ({ name: column, type: 'integer' })),
})

const TABLES = [table('orders', 'amount', 'tax'), table('customers', 'email', 'phone')]
const FOLDER = 'models/staging/shop'
const MODEL = `${FOLDER}/stg_shop__orders.sql`
const MODELS = `${FOLDER}/_shop__models.yml`
const SOURCES = `${FOLDER}/_shop__sources.yml`
const OWN = 'models/own.yml'
const ENTRY = /\n+ {6}- name: orders\n(?: {8}.*\n)+/

async function openProject(): Promise<PretendProject> {
  const project = pretendProject()
  await project.apply(TABLES)
  return project
}

function moveToOwn({ files }: PretendProject, name: string): void {
  const moved = moveEntry({
    list: 'models',
    name,
    from: { path: MODELS, text: files.get(MODELS) ?? '' },
    to: { path: OWN, text: files.get(OWN) ?? '' },
  })
  expect(moved.outcome).toEqual({ status: 'done' })
  files.set(MODELS, moved.from ?? '')
  files.set(OWN, moved.to)
}

async function expectSettled(project: PretendProject, tables = TABLES, config: Config = {}): Promise<void> {
  expect(refusals(project.files)).toEqual([])
  const plan = await project.plan(tables, { config })
  expect(actionsOf(plan)).toEqual({})
  expect(plan.lock).toEqual(project.lock())
}

test('an entry in a file of a person is found though the model was deleted', async () => {
  const project = await openProject()
  moveToOwn(project, 'stg_shop__orders')
  project.files.delete(MODEL)
  await project.apply(TABLES)
  expect(project.files.has(MODEL)).toBe(true)
  expect(project.files.get(MODELS)).not.toContain('orders')
  await expectSettled(project)
})

test('the entry of a deleted model goes where the model comes back under another name', async () => {
  const project = await openProject()
  project.files.delete(MODEL)
  const config: Config = { sources: { shop: { name: 'store' } } }
  await project.apply(TABLES, { config, prune: true })
  expect(project.files.has(MODELS)).toBe(false)
  expect(project.files.get('models/staging/store/_store__models.yml')).toContain('stg_store__orders')
  await expectSettled(project, TABLES, config)
})

test('an entry in a file of a person follows a model that the person renamed', async () => {
  const project = await openProject()
  moveToOwn(project, 'stg_shop__orders')
  project.files.set('models/orders.sql', project.files.get(MODEL) ?? '')
  project.files.delete(MODEL)
  await project.apply(TABLES)
  expect(project.files.get(OWN)).toContain('- name: orders\n    description: One row per order.\n')
  expect(project.files.get(MODELS)).not.toContain('orders')
  await expectSettled(project)
})

test('an entry that a person renamed with its model counts as generated, also in another clone', async () => {
  const project = await openProject()
  const [sql = '', yaml = ''] = [MODEL, MODELS].map((path) => project.files.get(path))
  project.files.delete(MODEL)
  project.files.set('models/orders.sql', sql.replace('id as order_id,', 'id as number,'))
  project.files.set(MODELS, yaml.replace('- name: stg_shop__orders', '- name: orders'))
  const config: Config = { naming: { ids: false } }
  const { warnings } = await project.apply(TABLES, { config, fresh: true })
  expect(warnings).toEqual([])
  expect(project.files.get(MODELS)).toContain('- name: number\n        description: Primary key.\n')
  expect(project.files.get(MODELS)).not.toContain('order_id')
})

test('a file whose entries took new names and so became as generated is planned once', async () => {
  const project = await openProject()
  const customers = `${FOLDER}/stg_shop__customers.sql`
  project.files.set(`${FOLDER}/buyers.sql`, project.files.get(customers) ?? '')
  project.files.delete(customers)
  const yaml = project.files.get(MODELS) ?? ''
  project.files.set(MODELS, yaml.replace('- name: stg_shop__customers', '- name: buyers'))
  await project.apply(TABLES)
  const config: Config = { naming: { types: { staging: { model: 'staging_{entity}' } } } }
  await project.apply(TABLES, { config })
  project.files.set(MODEL, `-- ours\n${project.files.get(MODEL) ?? ''}`)
  const { files } = await project.apply(TABLES, { config, prune: true, fresh: true })
  const paths = files.map(({ path }) => path)
  expect(paths).toContain(`${FOLDER}/staging_orders.sql`)
  expect(paths).toEqual([...new Set(paths)])
  await expectSettled(project, TABLES, config)
})

test('a table is followed in a file of a person that declares more of its source', async () => {
  const project = await openProject()
  const whole = project.files.get(SOURCES) ?? ''
  const [entry = ''] = ENTRY.exec(whole) ?? []
  project.files.set(SOURCES, whole.replace(ENTRY, '\n'))
  const own = `sources:\n  - name: shop\n    tables:${entry.replace('\n\n', '\n')}`
  project.files.set(OWN, own)
  const renamed = [table('purchases', 'amount', 'tax'), table('customers', 'email', 'phone')]
  await project.apply(renamed)
  expect(project.files.get(OWN)).toBe(
    own.replace('- name: orders\n', '- name: orders\n        identifier: purchases\n'),
  )
  await expectSettled(project, renamed)
  await project.apply([table('customers', 'email', 'phone')], { prune: true })
  expect(project.files.has(OWN)).toBe(false)
})

test('the lock has the entries of a forgotten table that are generated again with their file', async () => {
  const project = await openProject()
  project.forget('shop.orders')
  project.files.delete(MODEL)
  const wider = [table('orders', 'amount', 'tax', 'fee'), table('customers', 'email', 'phone')]
  await project.apply(wider)
  expect(project.files.get(MODELS)).toContain('- name: fee\n')
  expect(project.lock().get('shop.orders')).toMatchObject({
    properties: { path: MODELS },
    source: { path: SOURCES },
  })
  await expectSettled(project, wider)
})

const RENAMING: Config = {
  sources: { shop: { tables: { customers: { columns: { email: { name: 'address' } } } } } },
}

test('a table that was not asked for keeps its entry, as long as its model keeps its columns', async () => {
  for (const edited of [false, true]) {
    const project = await openProject()
    if (edited) project.files.set(MODELS, `${project.files.get(MODELS) ?? ''}# ours\n`)
    const before = project.lock().get('shop.customers')
    const wider = [table('orders', 'amount', 'tax', 'fee'), table('customers', 'email', 'phone')]
    await project.apply(wider, { config: RENAMING, only: ['orders'] })
    expect(project.files.get(MODELS)).toContain('- name: fee\n')
    expect(project.files.get(MODELS)).toContain('- name: email\n')
    expect(project.lock().get('shop.customers')).toEqual(before)
    await project.apply(wider, { config: RENAMING })
    expect(project.files.get(MODELS)).toContain('- name: address\n')
    await expectSettled(project, wider, RENAMING)
  }
})

test('adopting a model that follows its table changes nothing', async () => {
  const project = await openProject()
  const before = project.lock()
  const own = (project.files.get(MODEL) ?? '').replace('amount,', 'amount as price,')
  project.files.set(MODEL, own)
  await project.adopt(TABLES, { only: ['orders'], adopt: new Set([MODEL]) })
  expect(project.lock()).toEqual(before)
  await project.apply(TABLES)
  expect(project.files.get(MODELS)).toContain('- name: price\n')
})

test('an adopted entry follows a column that the person renamed in the model alone', async () => {
  const project = await openProject()
  project.forget('shop.orders')
  project.files.set(MODEL, (project.files.get(MODEL) ?? '').replace('id as order_id,', 'id as number,'))
  await project.adopt(TABLES, { only: ['orders'], adopt: new Set([MODEL]) })
  expect(project.files.get(MODELS)).toContain('- name: order_id\n')
  await project.apply(TABLES)
  expect(project.files.get(MODELS)).toContain('- name: number\n')
  expect(project.files.get(MODELS)).not.toContain('order_id')
  await expectSettled(project)
})

test('a text that a file never had is not taken for a generated one', async () => {
  const project = await openProject()
  const shorter = (project.files.get(SOURCES) ?? '').replace(ENTRY, '\n')
  project.files.set(SOURCES, `${shorter}# ours\n`)
  const plan = await project.plan(TABLES, { only: ['orders'] })
  expect(plan.files.find(({ path }) => path === SOURCES)?.after).toContain('# ours')
  expect(plan.generated.filter((text) => text.startsWith('version: 2\n\nsources:'))).toEqual([])
})

test.each([
  ['that comes back', undefined],
  ['that selects its key under another name', 'number'],
])('in another clone, an entry follows the names of a model %s', async (_, own) => {
  const project = await openProject()
  project.files.set(MODELS, (project.files.get(MODELS) ?? '').replace('      - name: tax\n', ''))
  const sql = (project.files.get(MODEL) ?? '').replace('order_id', own ?? '')
  if (own === undefined) project.files.delete(MODEL)
  else project.files.set(MODEL, sql)
  const config = { naming: { ids: false } }
  const { warnings } = await project.apply(TABLES, { config, fresh: true })
  expect(warnings).toEqual([])
  expect(project.files.get(MODELS)).toContain(
    `      - name: ${own ?? 'id'}\n        description: Primary key.`,
  )
  expect(project.files.get(MODELS)).not.toContain('order_id')
  expect(project.files.get(MODELS)).not.toContain('tax')
  await expectSettled(project, TABLES, config)
})

test('with a lock that has no staged names, another clone says which entry is behind', async () => {
  const project = await openProject()
  project.files.set(MODELS, (project.files.get(MODELS) ?? '').replace('      - name: tax\n', ''))
  project.files.delete(MODEL)
  const lock = new Map([...project.lock()].map(([key, { staged: _, ...line }]) => [key, line]))
  project.restore({ files: new Map(project.files), lock })
  const { warnings } = await project.apply(TABLES, { config: { naming: { ids: false } }, fresh: true })
  expect(project.files.get(MODEL)).toContain('        id,\n')
  expect(warnings.map(({ message }) => message)).toEqual([
    `${MODELS} tests order_id of stg_shop__orders, which the model does not select; rename or remove its entry there`,
  ])
})
