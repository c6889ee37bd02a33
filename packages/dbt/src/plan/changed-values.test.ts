import type { Config, Conversion, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { pretendProject } from '../testing/pretend-project.ts'

const ORDERS: Table = {
  schema: 'shop',
  name: 'orders',
  primaryKey: ['id'],
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'total', type: 'bigint' },
    { name: 'paid_ms', type: 'bigint' },
    { name: 'state', type: 'varchar' },
  ],
}

function configOf(
  columns: Readonly<Record<string, { readonly as: Conversion; readonly name?: string }>>,
): Config {
  return { sources: { shop: { tables: { orders: { columns } } } } }
}

async function warningsOf(before: Config, after: Config): Promise<readonly string[]> {
  const project = pretendProject()
  await project.apply([ORDERS], { config: before })
  const { warnings } = await project.plan([ORDERS], { config: after })
  return warnings.filter(({ code }) => code === 'VALUES_CHANGED').map(({ message }) => message)
}

test('warns where a conversion changes the values under an unchanged name, and where it is taken back', async () => {
  const cents = configOf({ total: { as: 'cents' } })
  expect(await warningsOf({}, cents)).toEqual([
    'stg_shop__orders will select total as cast(total / 100.0 as numeric(16, 2)) instead of total, so its values change under the same name; check its readers, or rename the column',
  ])
  expect(await warningsOf(cents, {})).toHaveLength(1)
  expect(
    await warningsOf(configOf({ state: { as: 'keep' } }), configOf({ state: { as: 'integer' } })),
  ).toHaveLength(1)
  expect(await warningsOf(configOf({ state: { as: 'integer' } }), {})).toHaveLength(1)
  const timestamp = configOf({ state: { as: 'timestamp', name: 'state' } })
  expect(await warningsOf(timestamp, {})).toHaveLength(1)
  expect(await warningsOf({}, timestamp)).toHaveLength(1)
})

test('says nothing where the name changes with the values, or nothing but a type is spelled out', async () => {
  expect(await warningsOf({}, configOf({ paid_ms: { as: 'epoch_milliseconds' } }))).toEqual([])
  expect(await warningsOf({}, configOf({ total: { as: 'cents', name: 'total_usd' } }))).toEqual([])
  expect(await warningsOf({}, { options: { casts: 'full' } })).toEqual([])
  expect(await warningsOf({}, {})).toEqual([])
})

test('leaves other changes of the warehouse and expressions of people alone', async () => {
  const project = pretendProject()
  await project.apply([ORDERS])
  const path = 'models/staging/shop/stg_shop__orders.sql'
  project.files.set(path, (project.files.get(path) ?? '').replace('total', 'total * 2 as total'))
  const state = ORDERS.columns.map((column) =>
    column.name === 'state' ? { ...column, values: ['Y', 'N'] } : column,
  )
  const { warnings } = await project.plan([{ ...ORDERS, columns: state }])
  expect(warnings.map(({ code }) => code)).not.toContain('VALUES_CHANGED')
})
