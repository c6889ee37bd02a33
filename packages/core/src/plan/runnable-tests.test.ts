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

test('a list of values with a macro call is not tested, with a warning', () => {
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

test('configured values of a converted column are not tested, with a warning', () => {
  const table: Table = {
    columns: [
      { name: 'state', type: 'text' },
      { name: 'open', type: 'text' },
      { name: 'closed', type: 'text' },
      { name: 'code', type: 'text' },
      { name: 'paid', type: 'boolean' },
    ],
  }
  const values = ['Y', 'N']
  const columns = {
    state: { values },
    open: { values, as: 'boolean' },
    closed: { values: ['t', 'f'] },
    code: { values: ['1', '2'], as: 'integer' },
    paid: { values },
  } as const
  const config = { ...KEPT, sources: { shop: { tables: { orders: { columns } } } } }
  const { warnings } = generateAll({ orders: table }, config)
  expect(warnings.filter(({ code }) => code === 'CONFIG_NOT_USED').map(({ message }) => message)).toEqual([
    'sources.shop.tables.orders.columns.code.values in the configuration has no effect: the column is converted, so no list of its values is tested',
    'sources.shop.tables.orders.columns.paid.values in the configuration has no effect: the column is true or false, so no list of its values is tested',
  ])
})

const referenceTo = (name: string): Readonly<Record<string, Table>> => ({
  customers: { columns: [{ name, type: 'bigint', nullable: false }], primaryKey: [name] },
  orders: {
    columns: [{ name: 'customer', type: 'bigint' }],
    foreignKeys: [
      {
        columns: ['customer'],
        references: { table: { schema: 'shop', name: 'customers' }, columns: [name] },
      },
    ],
  },
})

test('a reference to a column whose name is a call is tested under its name in quotes', () => {
  expect(generateAll(referenceTo(CALL)).yaml).toContain(String.raw`field: "\"${CALL}\""`)
})

test('a reference to a column whose name has Jinja is not tested, with a warning', () => {
  const { warnings, yaml } = generateAll(referenceTo(`{{ ${CALL} }}`))
  expect(yaml).not.toContain('relationships')
  expect(warnings).toContainEqual(
    expect.objectContaining({ code: 'FOREIGN_KEY_NOT_TESTABLE', column: 'customer' }),
  )
})

test('a key of several columns with such a name is tested by an expression with the name in quotes', () => {
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
