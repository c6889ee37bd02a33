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

test('a conversion that is not possible leaves the column as it is, and is told with those that are', () => {
  const { code, warnings } = generateColumn('jsonb', 'timestamp')
  expect(code).toBe(stage('jsonb'))
  expect(warnings).toEqual([
    {
      code: 'CONVERSION_NOT_POSSIBLE',
      message:
        'sources.shop.tables.orders.columns.created.as: a postgres column of type jsonb cannot be turned into "timestamp", so created is selected as it is; possible here: text, keep',
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
