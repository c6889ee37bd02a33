import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { finalColumns } from '../merge/final-columns.ts'
import { DIALECTS } from '@stagecraft/dialects'
import { parseLock, printLock } from '../lock/lock.ts'
import { actionsOf, pretendProject, type PretendProject } from '../testing/pretend-project.ts'
import { expressionOf } from './changed-values.ts'

const MODEL = 'models/staging/shop/stg_shop__orders.sql'

function table(...columns: readonly (readonly [name: string, type: string])[]): Table {
  return {
    schema: 'shop',
    name: 'orders',
    columns: columns.map(([name, type]) => ({ name, type })),
    ...(columns.some(([name]) => name === 'id') && { primaryKey: ['id'] }),
  }
}

/** The expressions that the model selects, by the names that it gives them. */
function selected({ files }: PretendProject): Readonly<Record<string, string>> {
  const columns = finalColumns(files.get(MODEL) ?? '', DIALECTS.duckdb)?.columns ?? []
  return Object.fromEntries(columns.map((column) => [column.name, expressionOf(column)]))
}

async function expectSettled(project: PretendProject, now: Table, config: Config = {}): Promise<void> {
  for (const fresh of [false, true]) {
    const again = await project.plan([now], { config, fresh })
    expect(actionsOf(again)).toEqual({})
    expect(printLock(again.lock)).toBe(printLock(project.lock()))
  }
}

const ID = ['id', 'integer'] as const
const CREATED = ['created', 'timestamp'] as const
const CREATED_AT = ['created_at', 'timestamp'] as const

test('an older column keeps the name that a new one wants', async () => {
  const project = pretendProject()
  await project.apply([table(ID, CREATED)])
  expect(selected(project)).toEqual({ order_id: 'id', created_at: 'created' })
  const wider = table(ID, ['order_id', 'text'], CREATED_AT, CREATED)
  const plan = await project.apply([wider])
  expect(selected(project)).toEqual({
    order_id: 'id',
    order_id_2: 'order_id',
    created_at: 'created',
    created_at_2: 'created_at',
  })
  expect(plan.warnings).toEqual([])
  expect(plan.models.flatMap(({ warnings }) => warnings.map(({ message }) => message))).toEqual([
    'order_id is staged as order_id_2, because another column is staged as order_id',
    'created_at is staged as created_at_2, because another column is staged as created_at',
  ])
  expect(project.lock().get('shop.orders')?.names).toEqual({
    id: 'order_id',
    order_id: 'order_id_2',
    created: 'created_at',
    created_at: 'created_at_2',
  })
  await expectSettled(project, wider)
})

test('the names stay when the columns come in another order, or the other column goes', async () => {
  const project = pretendProject()
  await project.apply([table(ID, CREATED)])
  await project.apply([table(ID, CREATED, CREATED_AT)])
  const kept = selected(project)
  await project.apply([table(CREATED_AT, CREATED, ID)])
  expect(selected(project)).toEqual(kept)
  const { created_at: _, ...rest } = kept
  await project.apply([table(CREATED_AT, ID)], { prune: true })
  expect(selected(project)).toEqual(rest)
  await expectSettled(project, table(CREATED_AT, ID))
  // it comes back, and finds the better name free
  await project.apply([table(CREATED_AT, ID, CREATED)])
  expect(selected(project)).toEqual(kept)
})

test('the configuration and other rules come before what a column was called', async () => {
  const project = pretendProject()
  await project.apply([table(ID, CREATED)])
  const both = table(ID, CREATED, CREATED_AT)
  await project.apply([both])
  const named: Config = {
    sources: { shop: { tables: { orders: { columns: { created_at: { name: 'created_at' } } } } } },
  }
  await project.apply([both], { config: named })
  expect(selected(project)).toMatchObject({ created_at: 'created_at', created_at_2: 'created' })
  await expectSettled(project, both, named)
  const suffix: Config = { naming: { patterns: { timestamp: '{name}_ts' } } }
  await project.apply([both], { config: suffix })
  expect(Object.keys(selected(project))).toContain('created_ts')
  await expectSettled(project, both, suffix)
})

test('a person who edited the model sees the new column under the other name', async () => {
  const project = pretendProject()
  await project.apply([table(ID, CREATED, ['note', 'text'])])
  const own = (project.files.get(MODEL) ?? '').replace(/( +)note\b/, '$1upper(note) as note')
  project.files.set(MODEL, own)
  const wider = table(ID, CREATED, ['note', 'text'], CREATED_AT)
  await project.apply([wider], { fresh: true })
  expect(selected(project)).toMatchObject({
    created_at: 'created',
    created_at_2: 'created_at',
    note: 'upper(note)',
  })
  const yaml = project.files.get('models/staging/shop/_shop__models.yml') ?? ''
  expect(yaml.match(/- name: created_at(_2)?$/gm)).toHaveLength(2)
  await expectSettled(project, wider)
})

test('a conversion that gave a name is not exchanged for a new column of that name', async () => {
  const config: Config = {
    sources: { shop: { tables: { orders: { columns: { total_cents: { as: 'cents' } } } } } },
  }
  const project = pretendProject()
  await project.apply([table(ID, ['total_cents', 'bigint'])], { config })
  const wider = table(ID, ['total_cents', 'bigint'], ['total', 'numeric(16, 2)'])
  const plan = await project.apply([wider], { config })
  expect(selected(project)).toEqual({
    order_id: 'id',
    total: 'cast(total_cents / 100.0 as numeric(16, 2))',
    total_2: 'total',
  })
  expect(plan.warnings.map(({ code }) => code)).not.toContain('VALUES_CHANGED')
  await expectSettled(project, wider, config)
})

test('the lock is one line a table with the names, and is read without them', async () => {
  const project = pretendProject()
  await project.apply([table(ID, CREATED)])
  expect(printLock(project.lock())).not.toContain('"names"')
  await project.apply([table(ID, CREATED, CREATED_AT)])
  const text = printLock(project.lock())
  expect(text.split('\n')).toHaveLength(5)
  expect(parseLock(text)).toEqual(project.lock())
  const without = text.replace(/"names":\{[^}]*\},/, '')
  expect(without).not.toBe(text)
  expect(parseLock(without).get('shop.orders')?.names).toBeUndefined()
  const broken = text.replace('"created":"created_at"', '"created":7')
  expect(() => parseLock(broken)).toThrow('a line written by stagecraft')
})
