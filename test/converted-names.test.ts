import { expect, test } from 'vitest'
import { duckdb } from './engines/duckdb.ts'
import { run, stage } from './engines/stage.ts'

const TABLE = {
  schema: 'raw',
  name: 'payments',
  columns: ['id', 'amount_cents', 'tax', 'tax_cents', 'created_epoch', 'paid_ms', 'tip_cents'].map(
    (name) => ({
      name,
      type: 'bigint',
    }),
  ),
}

const CONFIG = {
  sources: {
    raw: {
      tables: {
        payments: {
          columns: {
            amount_cents: { as: 'cents' },
            tax_cents: { as: 'cents' },
            created_epoch: { as: 'epoch_seconds' },
            paid_ms: { as: 'epoch_milliseconds' },
            tip_cents: { as: 'cents', name: 'tip_cents' },
          },
        },
      },
    },
  },
} as const

test('converted columns have names that are true of their values', async () => {
  const session = await duckdb.open()
  try {
    await session.run(
      'create table raw.payments as select 1::bigint as id, 1999::bigint as amount_cents, 3::bigint as tax, 250::bigint as tax_cents, 1719793800::bigint as created_epoch, 1719793800123::bigint as paid_ms, 100::bigint as tip_cents',
    )
    const { plan, sql } = stage(TABLE, 'duckdb', CONFIG)
    const { columns, rows } = await run(session, sql)
    const [row = []] = rows
    expect(Object.fromEntries(columns.map((name, index) => [name, row[index]]))).toEqual({
      payment_id: '1',
      amount: '19.99',
      tax: '3',
      tax_2: '2.50',
      created_at: '2024-07-01 00:30:00',
      paid_at: '2024-07-01 00:30:00.123',
      tip_cents: '1.00',
    })
    expect(plan.warnings).toContainEqual(
      expect.objectContaining({ code: 'NAME_COLLISION', column: 'tax_cents' }),
    )
  } finally {
    await session.close()
  }
})
