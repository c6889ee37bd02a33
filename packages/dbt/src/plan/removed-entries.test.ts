import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { pretendProject } from '../testing/pretend-project.ts'

const table = (name: string): Table => ({
  schema: 'shop',
  name,
  columns: [{ name: 'id', type: 'integer' }],
})

const [BILLS, ORDERS] = [table('bills'), table('orders')]
const MODEL = 'models/staging/shop/stg_shop__orders.sql'
const SOURCES = 'models/staging/shop/_shop__sources.yml'
const ENTRY = /\n+ {6}- name: orders\n(?: {8}.*\n)+/

test('a deleted entry of a source table that a model reads is told and restored', async () => {
  const project = pretendProject()
  await project.apply([BILLS, ORDERS])
  const whole = project.files.get(SOURCES) ?? ''
  const without = whole.replace(ENTRY, '\n')
  expect(without).not.toContain('orders')
  project.files.set(SOURCES, without)
  for (const only of [['orders'], ['bills', 'orders']]) {
    const plan = await project.plan([BILLS, ORDERS], { only })
    expect(plan.tables.map(({ model, undeclared }) => [model, undeclared])).toContainEqual([
      'stg_shop__orders',
      { source: 'shop', table: 'orders', places: [{ path: MODEL, line: 1 }] },
    ])
    const file = plan.files.find(({ path }) => path === SOURCES)
    expect(file?.notes).toEqual([`shop.orders is declared again, because ${MODEL} reads it`])
    expect(file?.after?.replaceAll(/\n+/g, '\n')).toBe(whole.replaceAll(/\n+/g, '\n'))
  }
  await project.apply([BILLS, ORDERS])
  const settled = await project.plan([BILLS, ORDERS])
  expect(settled.tables.flatMap(({ undeclared }) => undeclared ?? [])).toEqual([])
  expect(settled.files.every(({ action }) => action === 'unchanged')).toBe(true)
})

test('an entry comes back with its model, and stays away if nothing reads it', async () => {
  const project = pretendProject()
  await project.apply([BILLS, ORDERS])
  const without = (project.files.get(SOURCES) ?? '').replace(ENTRY, '\n')
  project.files.set(SOURCES, without)
  const own = (project.files.get(MODEL) ?? '').replace("source('shop', 'orders')", "ref('seeded_orders')")
  project.files.set(MODEL, own)
  const kept = await project.plan([BILLS, ORDERS])
  expect(kept.files.find(({ path }) => path === SOURCES)).toMatchObject({
    action: 'unchanged',
    notes: ['shop.orders was removed by hand and is not added again'],
  })
  expect(kept.tables.flatMap(({ undeclared }) => undeclared ?? [])).toEqual([])
  project.files.delete(MODEL)
  await project.apply([BILLS, ORDERS])
  expect(project.files.get(MODEL)).toContain("source('shop', 'orders')")
  expect(project.files.get(SOURCES)).toContain('- name: orders\n')
})

test('an entry that another file declares is not written again', async () => {
  const project = pretendProject()
  await project.apply([BILLS, ORDERS])
  project.files.set(SOURCES, (project.files.get(SOURCES) ?? '').replace(ENTRY, '\n'))
  const own = 'sources:\n  - name: shop\n    schema: elsewhere\n    tables:\n      - name: orders\n'
  project.files.set('models/own.yml', own)
  const plan = await project.plan([BILLS, ORDERS])
  expect(plan.files.filter(({ after, before }) => after !== before)).toEqual([])
  expect(plan.tables.flatMap(({ undeclared }) => undeclared ?? [])).toEqual([])
})
