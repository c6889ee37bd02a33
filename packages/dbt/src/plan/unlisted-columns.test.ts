import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { actionsOf, pretendProject } from '../testing/pretend-project.ts'

const orders = (...columns: readonly string[]): Table => ({
  schema: 'shop',
  name: 'orders',
  columns: ['id', ...columns].map((name) => ({ name, type: 'text' })),
  primaryKey: ['id'],
})

const MODELS = 'models/staging/shop/_shop__models.yml'

const CONFIG = {
  sources: { shop: { tables: { orders: { columns: { status: { values: ['new', 'paid'] } } } } } },
}

interface Column {
  readonly name: string
  readonly data_tests?: readonly unknown[]
}

function columnsOf(text: string | undefined): readonly Column[] {
  const { models } = parse(text ?? '') as {
    readonly models: readonly { readonly columns: readonly Column[] }[]
  }
  return models[0]?.columns ?? []
}

test('what is new of a column that the YAML does not list adds its entry, without what stood there before', async () => {
  const project = pretendProject()
  await project.apply([orders('status', 'kind')])
  const written = project.files.get(MODELS) ?? ''
  project.files.set(MODELS, written.replace(/ +- name: status\n(?: {8}.*\n)*/, ''))
  expect(columnsOf(project.files.get(MODELS)).map(({ name }) => name)).toEqual(['order_id', 'kind'])
  const tables = [orders('status', 'kind', 'extra')]
  await project.apply(tables)
  expect(columnsOf(project.files.get(MODELS)).map(({ name }) => name)).toEqual(['order_id', 'kind', 'extra'])

  const plan = await project.apply(tables, { config: CONFIG })
  expect(plan.files.flatMap(({ conflicts }) => conflicts)).toEqual([])
  const columns = columnsOf(project.files.get(MODELS))
  expect(columns.map(({ name }) => name)).toEqual(['order_id', 'status', 'kind', 'extra'])
  expect(JSON.stringify(columns[1])).toContain('"accepted_values"')
  expect(JSON.stringify(columns[1])).toContain('["new","paid"]')
  expect(actionsOf(await project.plan(tables, { config: CONFIG }))).toEqual({})

  project.files.set(MODELS, written)
  await project.apply(tables)
  expect((await project.plan(tables)).files.flatMap(({ conflicts }) => conflicts)).toEqual([])
})

test('a table that is gone is no longer followed when only what a person wrote of its model is left', async () => {
  const project = pretendProject()
  const refunds = { ...orders(), name: 'refunds' }
  await project.apply([orders(), refunds])
  const written = project.files.get(MODELS) ?? ''
  project.files.set(
    MODELS,
    written.replace('- name: stg_shop__refunds', '- name: stg_shop__refunds\n    meta: {owner: ben}'),
  )
  await project.apply([orders()], { prune: true })
  expect(project.files.get(MODELS)).toContain('owner: ben')
  expect(project.files.has('models/staging/shop/stg_shop__refunds.sql')).toBe(false)
  expect([...project.lock().keys()]).toHaveLength(1)
  expect((await project.plan([orders()], { prune: true })).tables.map(({ state }) => state)).toEqual([
    'known',
  ])
})

test('an entry of a source that lists no columns gets none, and one that lists some gets new ones', async () => {
  const path = 'models/own.yml'
  const written = (columns: string): string =>
    `sources:\n  - name: shop\n    tables:\n      - name: orders # ours\n${columns}`
  const MODEL = 'models/ours/orders.sql'
  const some = '        columns:\n          - name: id\n            data_type: text\n'
  for (const [columns, expected] of [
    ['', ''],
    [some, `${some}          - name: extra\n            data_type: text\n`],
  ] as const) {
    const project = pretendProject({
      [path]: written(columns),
      [MODEL]: "select id as order_id, status from {{ source('shop', 'orders') }}\n",
    })
    await project.apply([orders('status')], { adopt: new Set([MODEL]) })
    await project.apply([orders('status', 'extra')])
    expect(project.files.get(MODEL)).toContain('extra')
    expect(project.files.get(path)).toBe(written(expected))
    expect(actionsOf(await project.plan([orders('status', 'extra')]))).toEqual({})
  }
})
