import type { Conversion, Generation } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../index.ts'

function stage(type: string, as?: Conversion): string {
  return generateColumn(type, as).code
}

function generateColumn(type: string, as?: Conversion): Generation {
  const columns = { created: { ...(as !== undefined && { as }) } }
  return generate(
    { type: 'staging', source: 'shop.orders' },
    { schema: 'shop', name: 'orders', columns: [{ name: 'created', type }] },
    { dialect: 'postgres', config: { sources: { shop: { tables: { orders: { columns } } } } } },
  )
}

test.each(['timestamp', 'epoch_seconds', 'epoch_milliseconds', 'epoch_microseconds'] as const)(
  'a column that comes as a timestamp by now is staged as one, though it was configured as %s',
  (as) => {
    for (const type of ['timestamp', 'timestamptz']) expect(stage(type, as)).toBe(stage(type))
    expect(stage('timestamptz', as)).toContain("at time zone 'UTC'")
  },
)

test.each(['date_day_first', 'date_month_first', 'date_yyyymmdd'] as const)(
  'a column that comes as a date by now is staged as one, though it was configured as %s',
  (as) => {
    expect(generateColumn('date', as)).toEqual(generateColumn('date'))
    expect(stage('text', as)).toContain("to_date(nullif(created, ''), '")
  },
)

test('a conversion that is not possible leaves the column as it is, and is told with those that are', () => {
  const { code, warnings } = generateColumn('jsonb', 'timestamp')
  expect(code).toBe(stage('jsonb'))
  expect(warnings).toEqual([
    {
      code: 'CONVERSION_NOT_POSSIBLE',
      message:
        'sources.shop.tables.orders.columns.created.as: a postgres column of type jsonb cannot be converted to "timestamp", so created is selected unchanged; possible here: text, keep',
      column: 'created',
    },
  ])
})

test('a column of an unknown type is what the configuration says', () => {
  expect(stage('order_state', 'text')).toContain('cast(created as text) as created')
  expect(stage('order_state', 'cents')).toContain('created / 100.0')
  expect(generateColumn('order_state', 'text').warnings).toEqual([])
  expect(generateColumn('order_state').warnings.map(({ code }) => code)).toEqual(['TYPE_UNKNOWN'])
})

test('cents of decimals are warned of, and cents of whole numbers are not', () => {
  expect(generateColumn('numeric(14, 2)', 'cents').warnings).toEqual([
    {
      code: 'CONVERSION_NOT_NEEDED',
      message:
        'sources.shop.tables.orders.columns.created.as: created is a numeric(14, 2), and decimals usually are whole units already, so "cents" makes them 100 times too small; remove the setting, or keep it if the column really contains cents',
      column: 'created',
    },
  ])
  for (const type of ['bigint', 'numeric', 'numeric(14, 0)'])
    expect(generateColumn(type, 'cents').warnings).toEqual([])
})

test('a configured boolean is described by the values that the rows showed', () => {
  const { schema } = generate(
    { type: 'staging', source: 'shop.orders', options: { addDocs: true } },
    {
      schema: 'shop',
      name: 'orders',
      columns: [{ name: 'paid', type: 'char(1)' }],
      observed: { rows: 9, values: [{ column: 'paid', values: ['N', 'Y'], confidence: 0.95 }] },
    },
    {
      dialect: 'postgres',
      config: { sources: { shop: { tables: { orders: { columns: { paid: { as: 'boolean' } } } } } } },
    },
  )
  expect(schema).toContain('- name: is_paid\n        description: From `N` or `Y` in the source.')
})
