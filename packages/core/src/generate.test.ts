import { type Dialect, DIALECTS } from '@stagecraft/dialects'
import { describe, expect, test } from 'vitest'
import { generate, generateProject } from './generate.ts'
import { loadTemplates } from './render/templates.ts'

const item = (source: string, names: readonly string[], addTests = true) => ({
  request: { type: 'staging' as const, source, options: { addTests } },
  table: { columns: names.map((name) => ({ name, type: 'text' })) },
})

test('counts models without a test of their key in one warning for the run', () => {
  const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((table) => item(`shop.${table}`, ['x']))
  const { models, warnings } = generateProject([...items, item('shop.orders', ['id'])], {
    dialect: 'postgres',
  })
  expect(warnings).toEqual([
    {
      code: 'KEYS_NOT_TESTED',
      message:
        '6 models have no test of a key, because no key is known: stg_shop__a, stg_shop__b, stg_shop__c, stg_shop__d, stg_shop__e, and 1 more',
    },
  ])
  expect(models.flatMap((model) => model.warnings)).toEqual([])
})

test('does not warn if all keys are tested, or no tests were requested', () => {
  const context = { dialect: 'postgres' as const }
  expect(generateProject([item('shop.orders', ['id'])], context).warnings).toEqual([])
  expect(generateProject([item('shop.a', ['x'], false)], context).warnings).toEqual([])
})

test('does not test a key by name next to marks of extracts or versions', () => {
  const of = (...names: string[]): string =>
    generateProject([item('shop.orders', names)], { dialect: 'postgres' }).files.find(({ path }) =>
      path.endsWith('_models.yml'),
    )?.content ?? ''
  for (const mark of ['dt', 'ts', 'version', 'valid_from', 'ValidFrom', 'snapshot_date'])
    expect(of('id', mark)).not.toContain('unique')
  expect(of('id', 'start_ts')).toContain('unique')
})

test('finds the key in a first column that is named after the end of the entity', () => {
  const keys = (table: string, ...names: string[]): boolean =>
    generateProject([item(`shop.${table}`, names)], { dialect: 'postgres' }).warnings.length === 0
  expect(keys('sales_order', 'order_no', 'total')).toBe(true)
  expect(keys('customers', 'customer_number', 'name')).toBe(true)
  expect(keys('countries', 'country_code')).toBe(true)
  expect(keys('sales_order', 'total', 'order_no')).toBe(false)
  expect(keys('order_line', 'order_id', 'total')).toBe(false)
  expect(keys('project_employees', 'employee_id', 'project_id')).toBe(false)
})

test('columns may have the names of members of Object', () => {
  const columns = ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'].map((name) => ({
    name,
    type: 'timestamp with time zone',
    comment: '',
  }))
  const { files } = generateProject(
    [
      {
        request: { type: 'staging', source: 'shop.prototype', options: { addDocs: true } },
        table: { name: 'prototype', columns },
      },
    ],
    { dialect: 'postgres' },
  )
  expect(files.map(({ content }) => content).join('')).not.toMatch(/native code|function|\[object/)
})

const { postgres } = DIALECTS
/** PostgreSQL with other quotes, one more type and another word for it. */
const harbor: Dialect = {
  ...postgres,
  name: 'harbor',
  identifiers: { ...postgres.identifiers, quotes: ['`', '`'], escapes: { '`': '``' } },
  types: {
    ...postgres.types,
    families: { ...postgres.types.families, timestamp_tz: ['instant'] },
  },
  idioms: { ...postgres.idioms, toUtc: 'in_utc({x})' },
  lexing: { ...postgres.lexing, comments: { ...postgres.lexing.comments, line: '-- ' } },
}
const ships = {
  columns: [
    { name: 'Ship Name', type: 'text' },
    { name: 'landed', type: 'instant' },
  ],
}

test('writes the SQL of a dialect of your own', async () => {
  const request = { type: 'staging', source: 'port.ships' } as const
  const { code, warnings } = generate(request, ships, { dialect: harbor })
  expect(code).toContain('`Ship Name` as ship_name')
  expect(code).toContain('in_utc(landed) as landed_at')
  expect(warnings).toEqual([])
  const templates = await loadTemplates({ 'staging.sql': "select 'x' ---- a note\n" }, { dialect: harbor })
  expect(() => generate(request, ships, { dialect: harbor, templates })).toThrow(/staging\.sql/)
  expect(() => generate({ ...request, source: 'a.b.c.d' }, ships, { dialect: harbor })).toThrow(/ in harbor/)
})

test('types of a known dialect are spelled in a dialect of your own', () => {
  const table = { ...ships, dialect: 'snowflake' as const, columns: [{ name: 'at', type: 'TIMESTAMP_TZ' }] }
  const { code } = generate({ type: 'staging', source: 'port.ships' }, table, { dialect: harbor })
  expect(code).toContain('in_utc(at)')
})

test('an unknown dialect is refused by name', () => {
  const context = { dialect: 'oracle' as never }
  expect(() => generate({ type: 'staging', source: 'port.ships' }, ships, context)).toThrow(
    'dialect: expected one of snowflake',
  )
})

test('a snapshot does not use a number that is read as a time as its timestamp', () => {
  const columns = [
    { name: 'id', type: 'bigint' },
    { name: 'updated_epoch', type: 'bigint' },
  ]
  const things = { columns: { updated_epoch: { as: 'epoch_seconds' as const } } }
  const { code } = generate(
    { type: 'snapshot', source: 'shop.things' },
    { columns, primaryKey: ['id'] },
    { dialect: 'postgres', config: { sources: { shop: { tables: { things } } } } },
  )
  expect(code).toContain("strategy = 'check'")
})

describe('tables that are given together', () => {
  const tableOf = (source: string, ...columns: readonly string[]) => ({
    request: { type: 'staging', source } as const,
    table: { columns: ['id', ...columns].map((name) => ({ name, type: 'bigint' })) },
  })
  const context = { dialect: 'postgres' } as const

  test('give the same bytes in any order, also if their names collide', () => {
    const items = [
      tableOf('shop."Orders"'),
      tableOf('shop.orders'),
      tableOf('shop."ORDERS"'),
      tableOf('a.crm.leads'),
      tableOf('b.crm.leads'),
    ]
    const expected = generateProject(items, context)
    for (const at of items.keys()) {
      const order = [...items.slice(at), ...items.slice(0, at)].toReversed()
      expect(generateProject(order, context).files).toEqual(expected.files)
    }
    expect(new Set(expected.files.map(({ path }) => path)).size).toBe(expected.files.length)
  })

  test('count once if they are equal, and are an error if they differ', () => {
    const orders = tableOf('shop.orders')
    expect(generateProject([orders, tableOf('shop.orders')], context)).toEqual(
      generateProject([orders], context),
    )
    expect(() =>
      generateProject([orders, tableOf('shop.leads'), tableOf('shop.orders', 'x')], context),
    ).toThrow(
      'items[2]: expected each table once, got shop.orders, which differs from items[0], shop.orders, and has the same model',
    )
  })
})
