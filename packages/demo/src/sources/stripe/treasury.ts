import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, epoch, NOW } from '../../time.ts'
import { AIRBYTE_COLUMNS, extracted } from './airbyte.ts'
import type { BalanceTransaction } from './balance.ts'

export function balanceTransactions(balance: readonly BalanceTransaction[]): RawTable {
  const random = createRandom('stripe.balance_transactions')
  return defineTable({
    name: 'balance_transactions',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      type: 'varchar',
      reporting_category: 'varchar',
      source: 'varchar',
      status: 'varchar',
      currency: 'varchar',
      amount: 'bigint',
      fee: 'bigint',
      net: 'bigint',
      exchange_rate: 'double',
      fee_details: 'json',
      available_on: 'bigint',
      created: 'bigint',
    },
    rows: balance.map(({ amount, at, fee, id, source, type }) => ({
      ...extracted(at, random),
      id,
      object: 'balance_transaction',
      type,
      reporting_category: type,
      source,
      status: at + 2 * DAY < NOW ? 'available' : 'pending',
      currency: 'usd',
      amount,
      fee,
      net: amount - fee,
      exchange_rate: null,
      fee_details: fee === 0 ? [] : [{ type: 'stripe_fee', amount: fee, currency: 'usd' }],
      available_on: epoch(at + 2 * DAY),
      created: epoch(at),
    })),
  })
}

export function payouts(balance: readonly BalanceTransaction[]): RawTable {
  const random = createRandom('stripe.payouts')
  return defineTable({
    name: 'payouts',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      amount: 'bigint',
      currency: 'varchar',
      method: 'varchar',
      status: 'varchar',
      automatic: 'boolean',
      balance_transaction: 'varchar',
      metadata: 'varchar',
      arrival_date: 'bigint',
      created: 'bigint',
    },
    rows: balance
      .filter(({ type }) => type === 'payout')
      .map(({ amount, at, id, source }) => ({
        ...extracted(at, random),
        id: source,
        object: 'payout',
        amount: -amount,
        currency: 'usd',
        method: 'standard',
        status: at + 2 * DAY < NOW ? 'paid' : 'in_transit',
        automatic: true,
        balance_transaction: id,
        metadata: {},
        arrival_date: epoch(at + 2 * DAY),
        created: epoch(at),
      })),
  })
}
