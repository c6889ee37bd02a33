import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { epoch } from '../../time.ts'
import { orderId } from '../shopify/ids.ts'
import { AIRBYTE_COLUMNS, extracted } from './airbyte.ts'
import type { BalanceTransaction } from './balance.ts'
import type { Charge } from './ledger.ts'

const BRANDS = ['visa', 'visa', 'mastercard', 'amex']

/** The id of the balance entry of each charge and refund, by the id of the charge or refund. */
type Movements = ReadonlyMap<string, string>

export function movementsBySource(balance: readonly BalanceTransaction[]): Movements {
  return new Map(balance.map(({ id, source }) => [source, id]))
}

export function charges(all: readonly Charge[], movements: Movements): RawTable {
  const random = createRandom('stripe.charges')
  return defineTable({
    name: 'charges',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      amount: 'bigint',
      amount_captured: 'bigint',
      amount_refunded: 'bigint',
      currency: 'varchar',
      customer: 'varchar',
      invoice: 'varchar',
      balance_transaction: 'varchar',
      description: 'varchar',
      status: 'varchar',
      paid: 'boolean',
      captured: 'boolean',
      refunded: 'boolean',
      disputed: 'boolean',
      livemode: 'boolean',
      failure_code: 'varchar',
      failure_message: 'varchar',
      payment_method_details: 'json',
      receipt_email: 'varchar',
      metadata: 'varchar',
      created: 'bigint',
      updated: 'bigint',
    },
    rows: all.map((charge) => ({
      ...extracted(charge.refund?.at ?? charge.at, random),
      ...chargeFacts(charge),
      ...outcome(charge, random),
      balance_transaction: movements.get(charge.id) ?? null,
      created: epoch(charge.at),
      updated: epoch(charge.refund?.at ?? charge.at),
    })),
  })
}

function chargeFacts({ amount, id, invoice, order, payer }: Charge) {
  return {
    id,
    object: 'charge',
    amount,
    currency: 'usd',
    customer: payer.id,
    invoice: invoice?.id ?? null,
    description: order ? `Northlight Outfitters, order #${order.number}` : 'Northlight Club',
    livemode: true,
    receipt_email: payer.customer.email,
    metadata: order ? { order_id: String(orderId(order.number)), order_number: `#${order.number}` } : {},
  }
}

function outcome({ amount, failed, refund }: Charge, random: Random) {
  const [expiryYear, last4] = [random.integer(2026, 2030), String(random.integer(0, 9999)).padStart(4, '0')]
  const card = { brand: random.pick(BRANDS), last4, exp_year: expiryYear, country: 'US' }
  return {
    amount_captured: failed ? 0 : amount,
    amount_refunded: refund?.amount ?? 0,
    status: failed ? 'failed' : 'succeeded',
    paid: !failed,
    captured: !failed,
    refunded: refund?.amount === amount,
    disputed: !failed && random.chance(0.003),
    failure_code: failed ? 'card_declined' : null,
    failure_message: failed ? "Your card's balance is too low." : null,
    payment_method_details: { type: 'card', card },
  }
}

export function refunds(all: readonly Charge[], movements: Movements): RawTable {
  const random = createRandom('stripe.refunds')
  const refunded = all.flatMap((charge) => (charge.refund ? [{ charge, refund: charge.refund }] : []))
  return defineTable({
    name: 'refunds',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      charge: 'varchar',
      amount: 'bigint',
      currency: 'varchar',
      reason: 'varchar',
      status: 'varchar',
      balance_transaction: 'varchar',
      metadata: 'varchar',
      created: 'bigint',
    },
    rows: refunded.map(({ charge, refund: { amount, at, id } }) => ({
      ...extracted(at, random),
      id,
      object: 'refund',
      charge: charge.id,
      amount,
      currency: 'usd',
      reason: charge.order?.cancelledAt ? null : 'requested_by_customer',
      status: 'succeeded',
      balance_transaction: movements.get(id) ?? null,
      metadata: {},
      created: epoch(at),
    })),
  })
}
