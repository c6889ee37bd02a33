import type { DialectName } from '@stagecraft/spec'
import { expect, test } from 'vitest'
import { generate } from '../generate.ts'

function stage(names: readonly string[], dialect: DialectName): string {
  const columns = names.map((name) => ({ name, type: 'integer' }))
  return generate({ type: 'staging', source: 'shop.orders' }, { columns }, { dialect }).code
}

test.each(['duckdb', 'mysql', 'sqlserver', 'bigquery', 'redshift'] as const)(
  '%s cannot distinguish names that only differ in case',
  (dialect) => {
    expect(() => stage(['id', 'ID', 'total', 'id'], dialect)).toThrow(
      `source shop.orders: ${dialect} cannot distinguish its columns "id", "ID", "id"`,
    )
  },
)

test.each(['postgres', 'snowflake', 'clickhouse'] as const)(
  '%s can, except for the same name twice',
  (dialect) => {
    expect(stage(['id', 'ID', 'total'], dialect)).toContain('order_id')
    expect(() => stage(['id', 'ID', 'id'], dialect)).toThrow('columns "id", "id"')
  },
)
