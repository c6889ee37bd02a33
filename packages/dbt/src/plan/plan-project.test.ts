import type { Table } from '@stagecraft/spec'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ProjectPlan } from './plan-types.ts'
import { actionsOf, type PretendProject, pretendProject } from '../testing/pretend-project.ts'

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
      message: expect.stringContaining('shop.orders no longer has customer_id') as string,
    },
  ])
  expect(actionsOf(kept)['stg_shop__customers.sql']).toBe('orphan')
  await project.apply([narrower], { prune: true })
  const other = pretendProject()
  await other.apply([narrower])
  expect(project.files).toEqual(other.files)
  expect([...project.lock().keys()]).toEqual(['shop.orders'])
})

test('does not say that a * still reads a column that is gone', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  project.files.set(MODEL, "select * from {{ source('shop', 'orders') }}\n")
  const { warnings } = await project.plan([table('orders', 'amount numeric')])
  expect(warnings.filter(({ code }) => code === 'COLUMN_GONE')).toEqual([])
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

test('does not remove or rename a model that another one reads', async () => {
  const reader = 'models/marts/buyers.sql'
  const path = 'models/staging/shop/stg_shop__customers.sql'
  const project = pretendProject({ [reader]: "select * from {{ ref('stg_shop__customers') }}\n" })
  await project.apply([ORDERS, CUSTOMERS])
  const notesOf = ({ files }: ProjectPlan): readonly string[] =>
    files.find((file) => file.path === path)?.notes ?? []
  expect(notesOf(await project.plan([ORDERS]))).toEqual([
    `--prune removes it once nothing reads it: ${reader} reads it`,
  ])
  const before = new Map(project.files)
  const plan = await project.apply([ORDERS], { prune: true })
  expect(notesOf(plan)).toEqual([`${reader} reads it, so it is not removed`])
  expect(plan.warnings).toEqual([
    {
      code: 'MODEL_STILL_READ',
      message: `shop.customers is gone, and ${reader} reads its model stg_shop__customers; the model stays until nothing reads it; change what it reads, and prune again`,
    },
  ])
  expect(project.files).toEqual(before)
  expect([...project.lock().keys()].toSorted()).toEqual(['shop.customers', 'shop.orders'])
  const config = { sources: { shop: { tables: { customers: { model: 'stg_buyers' } } } } }
  const renamed = await project.plan([ORDERS, CUSTOMERS], { config, prune: true })
  expect(notesOf(renamed)).toEqual([
    `is called stg_buyers by the current configuration; it stays, because ${reader} reads it by its current name`,
  ])
  expect(actionsOf(renamed)).toEqual({})
  project.files.set(reader, 'select 1 as one\n')
  await project.apply([ORDERS], { prune: true })
  expect(project.files.has(path)).toBe(false)
  expect([...project.lock().keys()]).toEqual(['shop.orders'])
})

test('the entry of a model that takes another name goes with it, and what a person wrote there stays', async () => {
  const yaml = 'models/staging/shop/_shop__models.yml'
  const config = { sources: { shop: { tables: { customers: { model: 'stg_buyers' } } } } }
  const elsewhere = { sources: { shop: { name: 'store' } } }
  for (const note of ['', '\n  # of ours\n  - name: buyers\n']) {
    const project = pretendProject()
    await project.apply([ORDERS, CUSTOMERS])
    project.files.set(yaml, (project.files.get(yaml) ?? '') + note)
    await project.apply([ORDERS, CUSTOMERS], { config, prune: true })
    expect(project.files.get(yaml)).toContain('- name: stg_buyers')
    expect(project.files.get(yaml)).not.toContain('- name: stg_shop__customers')
    expect(project.files.get(yaml)).toContain(note)
    expect(actionsOf(await project.plan([ORDERS, CUSTOMERS], { config, prune: true }))).toEqual({})
  }
  const project = pretendProject()
  await project.apply([ORDERS, CUSTOMERS])
  await project.apply([ORDERS, CUSTOMERS], { config: elsewhere, prune: true })
  expect(project.files.has(yaml)).toBe(false)
  for (const fresh of [false, true]) {
    const edited = pretendProject()
    await edited.apply([ORDERS, CUSTOMERS])
    const own = (edited.files.get(yaml) ?? '').replace('One row per customer.', 'Our customers.')
    edited.files.set(yaml, own)
    const { files, warnings } = await edited.apply([ORDERS, CUSTOMERS], { config, prune: true, fresh })
    expect(warnings).toEqual([])
    expect(edited.files.get(yaml)).toBe(own.replace('- name: stg_shop__customers', '- name: stg_buyers'))
    expect(files.find(({ path }) => path === yaml)?.notes).toEqual([
      'stg_buyers: edited by hand: description changed',
    ])
  }
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

describe('a source table that the project declares as another table of the warehouse', () => {
  const declared = (source: string, tables: string): string =>
    `sources:\n  - name: shop\n${source}    tables:\n${tables}`
  const ELSEWHERE = declared('    schema: old_shop\n', '      - name: orders\n')
  const reader = { 'models/old.sql': "select * from {{ source('shop', 'orders') }}\n" }

  for (const [what, declaration, place] of [
    ['is in another schema', ELSEWHERE, 'old_shop.orders'],
    [
      'has another stored name',
      declared('', '      - name: orders\n        identifier: orders_v1\n'),
      'shop.orders_v1',
    ],
  ] as const)
    test(`${what}: its model would read other data, so it is not written, and the rest is`, async () => {
      const project = pretendProject({ 'models/raw.yml': declaration, ...reader })
      const plan = await project.apply([ORDERS, CUSTOMERS])
      expect(plan.files.find(({ path }) => path === MODEL)).toMatchObject({
        action: 'conflict',
        after: undefined,
        conflicts: [{ kind: 'source', path: 'models/raw.yml', declared: place, stored: 'shop.orders' }],
      })
      expect(project.files.has(MODEL)).toBe(false)
      expect(project.files.get('models/staging/shop/stg_shop__customers.sql')).toContain(
        "source('shop', 'customers')",
      )
      const yaml = [...project.files].filter(([path]) => path.endsWith('.yml')).map(([, text]) => text)
      expect(yaml.join('').match(/- name: orders$/gm)).toHaveLength(1)
      const named = { config: { sources: { shop: { name: 'new_shop' } } } }
      const settled = await project.apply([ORDERS, CUSTOMERS], { ...named, prune: true })
      expect(settled.files.flatMap(({ conflicts }) => conflicts)).toEqual([])
      const sql = project.files.get('models/staging/new_shop/stg_new_shop__orders.sql')
      expect(sql).toContain("source('new_shop', 'orders')")
    })

  test('is the same one as far as is known', async () => {
    const jinja = declared('    schema: "{{ target.schema }}"\n', '      - name: orders\n')
    const project = pretendProject({ 'models/raw.yml': jinja })
    const plan = await project.apply([ORDERS])
    expect(plan.files.flatMap(({ conflicts }) => conflicts)).toEqual([])
    expect(project.files.get(MODEL)).toContain("source('shop', 'orders')")
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

test('generated tests go from what a person wrote about a column that is gone', async () => {
  const project = pretendProject()
  const strict = (name: string): Table => {
    const orders = table('orders', 'amount numeric', 'state text')
    const columns = orders.columns.map((column) => ({ ...column, nullable: false }))
    return { ...orders, columns: columns.filter((column) => column.name !== name) }
  }
  await project.apply([strict('')])
  const own =
    '      - name: amount # ours\n        description: What was paid.\n        data_tests: [positive, not_null]\n'
  const yaml = project.files.get(MODELS) ?? ''
  project.files.set(MODELS, yaml.replace(/ {6}- name: amount\n {8}data_tests:\n {10}- not_null\n/, own))
  expect(project.files.get(MODELS)).toContain(own)
  await project.apply([strict('amount')], { prune: true })
  expect(project.files.get(MODELS)).toContain(own.replace(', not_null', ''))
})

test('warns of what a person tests and the model no longer selects', async () => {
  const project = pretendProject()
  const orders = table('orders', 'amount numeric')
  await project.apply([orders])
  const sql = project.files.get(MODEL) ?? ''
  project.files.set(MODEL, sql.replace(/,\n\n.*numerics\n +amount\n/, '\n'))
  const yaml = project.files.get(MODELS) ?? ''
  const tested = yaml.replace('name: amount\n', 'name: amount\n        data_tests: [positive]\n')
  project.files.set(MODELS, tested)
  const plan = await project.apply([orders])
  expect(plan.warnings.map(({ code }) => code)).toEqual(['COLUMN_NOT_SELECTED'])
  expect(project.files.get(MODELS)).toBe(tested)
  project.files.set(MODELS, yaml)
  expect((await project.apply([orders])).warnings).toEqual([])
  expect(project.files.get(MODELS)).not.toContain('name: amount')
})

/** The properties of a model: its columns with their tests. */
function columnsOf(project: PretendProject, model: string): Readonly<Record<string, string>> {
  const files = [...project.files].filter(([path]) => path.endsWith('.yml'))
  const models = files.flatMap(([, text]) => (parse(text) as Properties).models ?? [])
  const { columns = [] } = models.find(({ name }) => name === model) ?? {}
  return Object.fromEntries(columns.map(({ name, data_tests: tests = [] }) => [name, JSON.stringify(tests)]))
}

interface Properties {
  readonly models?: readonly {
    readonly name: string
    readonly columns?: readonly { readonly name: string; readonly data_tests?: readonly unknown[] }[]
  }[]
}

const LINES: Table = {
  schema: 'shop',
  name: 'lines',
  columns: [
    { name: 'order_id', type: 'integer' },
    { name: 'number', type: 'integer' },
    { name: 'state', type: 'text', values: ['open', 'done'] },
  ],
  primaryKey: ['order_id', 'number'],
  foreignKeys: [
    { columns: ['order_id'], references: { table: { schema: 'shop', name: 'orders' }, columns: ['id'] } },
  ],
}

test('what is said of columns follows the names that a person gave them in the SQL', async () => {
  const project = pretendProject()
  await project.apply([ORDERS, LINES])
  const before = columnsOf(project, 'stg_shop__orders')
  const edit = (path: string, from: string, to: string): void => {
    expect(project.files.get(path)).toContain(from)
    project.files.set(path, (project.files.get(path) ?? '').replace(from, to))
  }
  edit(MODEL, 'id as order_id', 'id as order_no')
  edit(MODEL, '        customer_id,\n', '')
  edit(
    'models/staging/shop/stg_shop__lines.sql',
    '        number,\n',
    '        number * 10 as line_number,\n',
  )
  const plan = await project.apply([ORDERS, LINES], { fresh: true })
  expect(plan.warnings).toEqual([])
  const { order_id: key = '', customer_id: _, ...others } = before
  expect(columnsOf(project, 'stg_shop__orders')).toEqual({ order_no: key, ...others })
  const yaml = project.files.get(MODELS) ?? ''
  expect(yaml).toMatch(/to: ref\('stg_shop__orders'\)\n +field: order_no\n/)
  expect(yaml).toContain('line_number')
  expect(yaml).not.toMatch(/name: number\b/)
  expect(actionsOf(await project.plan([ORDERS, LINES], { fresh: true }))).toEqual({})
  expect(actionsOf(await project.plan([ORDERS, LINES]))).toEqual({})
  // a person writes more, changes the name again, and selects the column again
  edit(MODELS, 'name: order_no\n', 'name: order_no # ours\n        config: {meta: {pii: false}}\n')
  edit(MODEL, 'id as order_no', 'id as order_key,\n        customer_id')
  await project.apply([ORDERS, LINES], { fresh: true })
  expect(project.files.get(MODELS)).toContain(
    'name: order_key # ours\n        config: {meta: {pii: false}}\n',
  )
  expect(project.files.get(MODELS)).toMatch(/field: order_key\n/)
  expect(Object.keys(columnsOf(project, 'stg_shop__orders')).toSorted()).toEqual([
    'amount',
    'customer_id',
    'order_key',
  ])
  expect(actionsOf(await project.plan([ORDERS, LINES]))).toEqual({})
  project.files.delete(MODEL)
  await project.apply([ORDERS, LINES])
  expect(columnsOf(project, 'stg_shop__orders')).toEqual(before)
})

test('entries that a person wrote stay, whatever the model selects', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  project.files.set(MODEL, (project.files.get(MODEL) ?? '').replace('id as order_id', 'id as order_no'))
  const own = '      - name: order_no\n        description: Ours.\n      - name: order_id\n'
  project.files.set(MODELS, (project.files.get(MODELS) ?? '').replace('      - name: order_id\n', own))
  await project.apply([ORDERS])
  expect(project.files.get(MODELS)).toContain('      - name: order_no\n        description: Ours.\n')
  expect(Object.keys(columnsOf(project, 'stg_shop__orders'))).toEqual(['order_no', 'customer_id', 'amount'])
  expect(actionsOf(await project.plan([ORDERS]))).toEqual({})
})

const RENAMED = table('orders', 'customer_id integer', 'amount_usd numeric', 'state text')
const WITH_AMOUNT = table('orders', 'customer_id integer', 'amount numeric', 'state text')

test('a raw column that was renamed is one column in a model that nobody changed, with what a person said of it', async () => {
  const project = pretendProject()
  await project.apply([WITH_AMOUNT, CUSTOMERS])
  for (const path of [MODELS, SOURCES])
    project.files.set(
      path,
      (project.files.get(path) ?? '').replace(
        /( +)- name: amount\n/,
        '$1- name: amount # ask Mei\n$1  description: What was paid.\n',
      ),
    )
  const plan = await project.apply([RENAMED, CUSTOMERS], { fresh: true })
  expect(plan.tables.map(({ drifts }) => drifts)).toEqual([
    [],
    [{ kind: 'renamed', column: 'amount_usd', before: 'amount', after: 'amount_usd' }],
  ])
  expect(project.files.get(MODEL)).toContain('        amount_usd\n')
  for (const path of [MODELS, SOURCES]) {
    expect(project.files.get(path)).toMatch(/- name: amount_usd # ask Mei\n +description: What was paid\.\n/)
    expect(project.files.get(path)).not.toContain('name: amount ')
  }
  expect(actionsOf(await project.plan([RENAMED, CUSTOMERS], { fresh: true }))).toEqual({})
  expect(plan.warnings).toEqual([])
})

test('a raw column that was renamed keeps the name that a model of a person selects it by', async () => {
  const project = pretendProject()
  await project.apply([WITH_AMOUNT])
  const sql = project.files.get(MODEL) ?? ''
  const edited = sql.replace('    from source\n', '    from source\n    where amount > 0 -- paid\n')
  project.files.set(MODEL, edited)
  const yaml = project.files.get(MODELS)
  await project.apply([RENAMED], { fresh: true })
  expect(project.files.get(MODEL)).toBe(
    edited
      .replace('        amount\n', '        amount_usd as amount\n')
      .replace('where amount', 'where amount_usd'),
  )
  expect(project.files.get(MODELS)).toBe(yaml)
  expect(project.files.get(SOURCES)).toContain('- name: amount_usd\n')
  expect(actionsOf(await project.plan([RENAMED]))).toEqual({})
  project.files.set(MODEL, edited.replace('        amount\n', '        round(amount, 2) as total\n'))
  await project.apply([WITH_AMOUNT])
  await project.apply([RENAMED])
  expect(project.files.get(MODEL)).toContain('        round(amount_usd, 2) as total\n')
  expect(Object.keys(columnsOf(project, 'stg_shop__orders'))).toContain('total')
})

test('a raw column that was renamed keeps the generated name in a model that a person edited elsewhere', async () => {
  const [was, is] = [
    table('orders', 'active boolean', 'amount numeric'),
    table('orders', 'enabled boolean', 'amount numeric'),
  ]
  const project = pretendProject({
    'models/mart.sql': "select order_id,\n  is_active from {{ ref('stg_shop__orders') }}\n",
  })
  await project.apply([was])
  const sql = project.files.get(MODEL) ?? ''
  expect(sql).toContain('active as is_active')
  const edited = sql.replace('        amount,\n', '        round(amount, 2) as amount,\n')
  project.files.set(MODEL, edited)
  const yaml = project.files.get(MODELS)
  const plan = await project.apply([is])
  expect(project.files.get(MODEL)).toBe(edited.replace('active as is_active', 'enabled as is_active'))
  expect(project.files.get(MODELS)).toBe(yaml)
  expect(plan.warnings).toEqual([])
  expect(actionsOf(await project.plan([is]))).toEqual({})
})

test('a raw column that was renamed keeps its name in a model that a person wrote as it would be generated', async () => {
  const [was, is] = [
    table('orders', 'active boolean', 'amount numeric'),
    table('orders', 'enabled boolean', 'amount numeric'),
  ]
  const other = pretendProject()
  await other.apply([was])
  const sql = other.files.get(MODEL) ?? ''
  for (const text of [sql, sql.replaceAll('    ', '  ')]) {
    const project = pretendProject({ [MODEL]: text })
    await project.apply([was], { adopt: new Set([MODEL]) })
    await project.apply([was])
    const yaml = project.files.get(MODELS)
    expect(yaml).toContain('- name: is_active\n')
    const { warnings } = await project.apply([is])
    expect(project.files.get(MODEL)).toBe(text.replace('active as is_active', 'enabled as is_active'))
    expect(project.files.get(MODELS)).toBe(yaml)
    expect(warnings).toEqual([])
    expect(actionsOf(await project.plan([is]))).toEqual({})
    await project.apply([table('orders', 'on_sale boolean', 'amount numeric')])
    expect(project.files.get(MODEL)).toContain('on_sale as is_active')
  }
})

test('warns of models that read a column whose generated name follows its raw column', async () => {
  const [was, is] = [
    table('orders', 'active boolean', 'amount numeric'),
    table('orders', 'enabled boolean', 'amount numeric'),
  ]
  const project = pretendProject({
    'models/mart.sql': "select order_id,\n  is_active from {{ ref('stg_shop__orders') }}\n",
    'models/other.sql': "select order_id from {{ ref('stg_shop__orders') }} -- is_active\n",
  })
  await project.apply([was])
  const { warnings } = await project.apply([is])
  expect(project.files.get(MODEL)).toContain('enabled as is_enabled')
  expect(warnings).toEqual([
    {
      code: 'COLUMN_STILL_READ',
      message: expect.stringContaining(
        'this removes the column is_active from stg_shop__orders, and models/mart.sql:2 reads it',
      ),
    },
  ])
})

test('the comment of a group goes with its last column, and a comment of a person stays', async () => {
  const project = pretendProject()
  await project.apply([WITH_AMOUNT])
  const sql = project.files.get(MODEL) ?? ''
  project.files.set(MODEL, sql.replace('from source\n', 'from source -- all\n'))
  await project.apply([table('orders', 'customer_id integer', 'state text')], { prune: true })
  expect(project.files.get(MODEL)).not.toMatch(/numerics|amount/)
  expect(project.files.get(MODEL)).toContain(
    '        ---------- strings\n        state\n\n    from source -- all\n',
  )
  project.files.set(MODEL, sql.replace('---------- numerics', '-- what was paid'))
  await project.apply([WITH_AMOUNT])
  await project.apply([table('orders', 'customer_id integer', 'state text')], { prune: true })
  expect(project.files.get(MODEL)).toContain('-- what was paid')
})

test('values that a person tests stay beside others that are configured, and that is said', async () => {
  const project = pretendProject()
  const orders = table('orders', 'state text', 'city text')
  const values = (...all: readonly string[]) => ({
    config: { sources: { shop: { tables: { orders: { columns: { state: { values: all } } } } } } },
  })
  await project.apply([orders], values('open', 'paid'))
  const edited = (project.files.get(MODELS) ?? '').replace(
    '- paid\n',
    '- paid\n                  - lost # by hand\n',
  )
  project.files.set(MODELS, edited)
  const described = {
    config: {
      sources: {
        shop: {
          tables: {
            orders: {
              columns: { state: { values: ['open', 'void'] }, city: { description: 'Where it goes' } },
            },
          },
        },
      },
    },
  }
  const plan = await project.apply([orders], described)
  expect(plan.warnings).toEqual([
    {
      code: 'HAND_EDIT_KEPT',
      message: expect.stringContaining(
        'column state: the arguments of the test accepted_values were changed by hand; it is kept',
      ) as string,
    },
  ])
  const now = project.files.get(MODELS) ?? ''
  expect(now).toContain('- lost # by hand\n')
  expect(now).not.toContain('- void')
  expect(now).toContain('description: Where it goes')
  expect((await project.plan([orders], described)).warnings).toEqual([])
})

test('a new raw column whose name a person gave to another one is told', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  const sql = project.files.get(MODEL) ?? ''
  project.files.set(
    MODEL,
    sql.replace('        amount\n', '        amount,\n        amount * 1.2 as gross\n'),
  )
  const wider = table('orders', 'customer_id integer', 'amount numeric', 'gross numeric')
  const plan = await project.apply([wider])
  expect(plan.warnings.map(({ code }) => code)).toEqual(['COLUMN_NAME_TAKEN'])
  expect(project.files.get(MODEL)).not.toMatch(/^ +gross,?$/m)
})
