// What stands in an argument of a test is rendered by dbt: text of a warehouse must never be run there.
import type { Config, Table } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generateProject } from '../generate.ts'

const CALL = "env_var('SECRET')"

/** Names stay as stored, so that one can be a call. */
const KEPT: Config = { naming: { columns: 'keep' }, packages: ['dbt_utils'] }

function generateAll(tables: Readonly<Record<string, Table>>, config: Config = KEPT) {
  const items = Object.entries(tables).map(([name, table]) => ({
    request: { type: 'staging', source: `shop.${name}`, options: { addTests: true } } as const,
    table,
  }))
  const { files, models } = generateProject(items, { dialect: 'postgres', config })
  const yaml = files.find(({ path }) => path.endsWith('__models.yml'))?.content ?? ''
  return { yaml, warnings: models.flatMap(({ warnings }) => warnings) }
}

test('a list of values with a call of a macro is not tested, and that is said', () => {
  const values = ['new', CALL]
  const { warnings, yaml } = generateAll({ orders: { columns: [{ name: 'state', type: 'text', values }] } })
  expect(yaml).not.toContain('accepted_values')
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'VALUES_NOT_TESTABLE', column: 'state' }))
})

test('a list of values without one is tested', () => {
  const values = ['new', 'env_var SECRET']
  const { warnings, yaml } = generateAll({ orders: { columns: [{ name: 'state', type: 'text', values }] } })
  expect(yaml).toContain('accepted_values')
  expect(warnings).toEqual([])
})

test('a reference to a column whose name is a call is not tested, and that is said', () => {
  const { warnings, yaml } = generateAll({
    customers: { columns: [{ name: CALL, type: 'bigint', nullable: false }], primaryKey: [CALL] },
    orders: {
      columns: [{ name: 'customer', type: 'bigint' }],
      foreignKeys: [
        {
          columns: ['customer'],
          references: { table: { schema: 'shop', name: 'customers' }, columns: [CALL] },
        },
      ],
    },
  })
  expect(yaml).not.toContain('relationships')
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'FOREIGN_KEY_NOT_TESTABLE', column: 'customer' }),
  )
})

test('a key of several columns with such a name is tested by an expression, which holds it in quotes', () => {
  const keyOf = (name: string): Table => ({
    columns: [
      { name: 'shop', type: 'text', nullable: false },
      { name, type: 'text', nullable: false },
    ],
    primaryKey: ['shop', name],
  })
  expect(generateAll({ orders: keyOf('number') }).yaml).toContain('dbt_utils.unique_combination_of_columns')
  const { yaml } = generateAll({ orders: keyOf(CALL) })
  expect(yaml).not.toContain('unique_combination_of_columns')
  expect(yaml).toContain(`"${CALL}"`)
})
