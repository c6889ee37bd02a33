import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { epoch, HOUR, LAST_EVENT } from '../../time.ts'
import { AIRBYTE_COLUMNS, extracted } from './airbyte.ts'
import { FEE_PER_MONTH, type Ledger, MONTH, type Subscription } from './ledger.ts'

const PLAN = {
  id: 'price_northlight_club',
  nickname: 'Northlight Club',
  interval: 'month',
  amount: FEE_PER_MONTH,
}

export function subscriptions(ledger: Ledger): RawTable {
  const random = createRandom('stripe.subscriptions')
  return defineTable({
    name: 'subscriptions',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      customer: 'varchar',
      status: 'varchar',
      plan: 'json',
      items: 'json',
      quantity: 'bigint',
      cancel_at_period_end: 'boolean',
      start_date: 'bigint',
      current_period_start: 'bigint',
      current_period_end: 'bigint',
      canceled_at: 'bigint',
      ended_at: 'bigint',
      metadata: 'varchar',
      created: 'bigint',
    },
    rows: ledger.subscriptions.map((subscription) => ({
      ...extracted(subscription.cancelledAt ?? subscription.startedAt, random),
      id: subscription.id,
      object: 'subscription',
      customer: subscription.payer.id,
      ...standing(subscription),
      metadata: { source: 'checkout' },
      created: epoch(subscription.startedAt),
    })),
  })
}

function standing({ cancelledAt, id, startedAt }: Subscription) {
  const months = Math.floor(((cancelledAt ?? LAST_EVENT) - startedAt) / MONTH)
  const periodStart = startedAt + months * MONTH
  const ended = cancelledAt === undefined ? null : epoch(cancelledAt)
  return {
    status: cancelledAt === undefined ? 'active' : 'canceled',
    plan: PLAN,
    items: { object: 'list', data: [{ subscription: id, price: PLAN.id, quantity: 1 }] },
    quantity: 1,
    cancel_at_period_end: false,
    start_date: epoch(startedAt),
    current_period_start: epoch(periodStart),
    current_period_end: epoch(periodStart + MONTH),
    canceled_at: ended,
    ended_at: ended,
  }
}

export function invoices(ledger: Ledger): RawTable {
  const random = createRandom('stripe.invoices')
  return defineTable({
    name: 'invoices',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      number: 'varchar',
      customer: 'varchar',
      subscription: 'varchar',
      status: 'varchar',
      currency: 'varchar',
      amount_due: 'bigint',
      amount_paid: 'bigint',
      amount_remaining: 'bigint',
      attempt_count: 'bigint',
      paid: 'boolean',
      lines: 'json',
      status_transitions: 'json',
      period_start: 'bigint',
      period_end: 'bigint',
      created: 'bigint',
    },
    rows: ledger.invoices.map(({ from, id, subscription, to }, index) => ({
      ...extracted(from + HOUR, random),
      id,
      object: 'invoice',
      number: `NLC-${String(index + 1).padStart(6, '0')}`,
      customer: subscription.payer.id,
      subscription: subscription.id,
      status: 'paid',
      currency: 'usd',
      amount_due: FEE_PER_MONTH,
      amount_paid: FEE_PER_MONTH,
      amount_remaining: 0,
      attempt_count: 1,
      paid: true,
      lines: [{ price: PLAN.id, amount: FEE_PER_MONTH, description: '1 × Northlight Club' }],
      status_transitions: { finalized_at: epoch(from), paid_at: epoch(from + HOUR) },
      period_start: epoch(from),
      period_end: epoch(to),
      created: epoch(from),
    })),
  })
}
