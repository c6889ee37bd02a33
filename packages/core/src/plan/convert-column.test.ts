import type { Conversion } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../index.ts'

function stage(type: string, as?: Conversion): string {
  const columns = { created: { ...(as !== undefined && { as }) } }
  return generate(
    { type: 'staging', source: 'shop.orders' },
    { schema: 'shop', name: 'orders', columns: [{ name: 'created', type }] },
    { dialect: 'postgres', config: { sources: { shop: { tables: { orders: { columns } } } } } },
  ).code
}

test.each(['timestamp', 'epoch_seconds', 'epoch_milliseconds', 'epoch_microseconds'] as const)(
  'a column that comes as a timestamp by now is staged as one, though it was configured as %s',
  (as) => {
    for (const type of ['timestamp', 'timestamptz']) expect(stage(type, as)).toBe(stage(type))
    expect(stage('timestamptz', as)).toContain("at time zone 'UTC'")
  },
)

test('a conversion that is not possible is told with those that are', () => {
  expect(() => stage('jsonb', 'timestamp')).toThrow(
    'sources.shop.tables.orders.columns.created.as: expected text or keep for jsonb columns of postgres, got "timestamp"',
  )
})
