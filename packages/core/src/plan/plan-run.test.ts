import type { Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generateProject } from '../generate.ts'

const context = { dialect: 'duckdb', defaults: { addTests: true } } as const

function tableOf(...columns: readonly string[]): Table {
  return { columns: columns.map((name) => ({ name, type: 'integer', nullable: false })) }
}

function yamlOf(tables: Readonly<Record<string, Table>>, config: object = {}): string {
  const items = Object.entries(tables).map(([name, table]) => ({
    request: { type: 'staging', source: `shop.${name}` } as const,
    table,
  }))
  const { files } = generateProject(items, { ...context, config })
  return files.find(({ path }) => path.endsWith('__models.yml'))?.content ?? ''
}

const NAMES = /name: (not_null_\w+)/g

test('tests with the same name in dbt get explicit names', () => {
  const yaml = yamlOf(
    { fees: tableOf('taxes_amount_cents'), fees_taxes: tableOf('amount_cents') },
    {
      naming: { entity: 'keep' },
    },
  )
  expect([...yaml.matchAll(NAMES)].map(([, name]) => name)).toEqual([
    'not_null_stg_shop__fees__taxes_amount_cents',
    'not_null_stg_shop__fees_taxes__amount_cents',
  ])
})

test('names that dbt would hash are shortened, and stay distinct', () => {
  const long = 'a_name_that_is_as_long_as_columns_of_some_sources_are'
  const yaml = yamlOf(
    { fees: tableOf(`taxes_${long}`), fees_taxes: tableOf(long) },
    {
      naming: { entity: 'keep' },
    },
  )
  const names = [...yaml.matchAll(NAMES)].map(([, name]) => name ?? '')
  expect(new Set(names).size).toBe(2)
  for (const name of names) expect(name.length).toBeLessThanOrEqual(63)
})

test('columns of one model that dbt prints alike are distinguished by their positions', () => {
  const yaml = yamlOf({ fees: tableOf('a b', 'a_b') }, { naming: { columns: 'keep' } })
  expect([...yaml.matchAll(NAMES)].map(([, name]) => name)).toEqual([
    'not_null_stg_shop__fees__a_b_1',
    'not_null_stg_shop__fees__a_b_2',
  ])
})

test('all other tests keep their dbt names', () => {
  const yaml = yamlOf({ fees: tableOf('taxes_cents'), fees_taxes: tableOf('amount_cents') })
  expect(yaml).not.toMatch(NAMES)
})

test.each([
  [['deleted', 'IsDeleted'], { deleted: 'is_deleted_2', IsDeleted: 'is_deleted' }],
  [['orderno', 'Order_No'], { orderno: 'order_no_2', Order_No: 'order_no' }],
  [['order_no', 'OrderNo'], { order_no: 'order_no', OrderNo: 'order_no_2' }],
])('of columns %s, the one whose words the name has gets it', (columns, names) => {
  const table = { columns: columns.map((name) => ({ name, type: 'boolean' })) }
  const { files } = generateProject([{ request: { type: 'staging', source: 'shop.things' }, table }], {
    ...context,
    config: {},
  })
  const sql = files.find(({ path }) => path.endsWith('.sql'))?.content ?? ''
  for (const [column, name] of Object.entries(names))
    expect(sql).toMatch(new RegExp(`^\\s+"?${column}"?(?: as ${name}|(?<=${name}"?)),?$`, 'm'))
})

test('of tables that differ in number, the one with the name of the model gets it', () => {
  const yaml = yamlOf({ key: tableOf('a'), keys: tableOf('b') })
  expect(
    [...yaml.matchAll(/- name: (stg_\w+)\n(?: .*\n)*? {6}- name: (\w+)/g)].map(([, ...found]) => found),
  ).toEqual(
    expect.arrayContaining([
      ['stg_shop__keys', 'b'],
      ['stg_shop__keys_2', 'a'],
    ]),
  )
})
