import type { Company } from '../../company/company.ts'
import { money } from '../../company/money.ts'
import type { Order, Refund } from '../../company/orders.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { timestamp } from '../../time.ts'
import { synced, SYNCED_COLUMNS } from './fivetran.ts'
import { fulfillmentId, orderId, orderLineId, refundId, refundLineId } from './ids.ts'
import { locationOf } from './locations.ts'

export function fulfillment({ orders }: Company): RawTable {
  const random = createRandom('shopify.fulfillment')
  const shipped = orders.flatMap((order) =>
    order.shippedAt === undefined ? [] : [{ ...order, shippedAt: order.shippedAt }],
  )
  return defineTable({
    name: 'fulfillment',
    key: ['id'],
    columns: {
      id: 'bigint',
      order_id: 'bigint',
      location_id: 'bigint',
      name: 'varchar',
      status: 'varchar',
      shipment_status: 'varchar',
      tracking_company: 'varchar',
      tracking_numbers: 'json',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...SYNCED_COLUMNS,
    },
    rows: shipped.map(({ deliveredAt, number, shippedAt }) => ({
      id: fulfillmentId(number),
      order_id: orderId(number),
      location_id: locationOf(undefined),
      name: `#${number}.1`,
      status: 'success',
      shipment_status: deliveredAt ? 'delivered' : 'in_transit',
      tracking_company: random.pick(['UPS', 'UPS', 'FedEx', 'Canada Post']),
      tracking_numbers: [`1Z${random.token(16).toUpperCase()}`],
      created_at: timestamp(shippedAt),
      updated_at: timestamp(deliveredAt ?? shippedAt),
      ...synced(deliveredAt ?? shippedAt),
    })),
  })
}

interface Refunded {
  readonly order: Order
  readonly refund: Refund
}

function refundsOf({ orders }: Company): readonly Refunded[] {
  return orders.flatMap((order) => (order.refund ? [{ order, refund: order.refund }] : []))
}

export function refund(company: Company): RawTable {
  return defineTable({
    name: 'refund',
    key: ['id'],
    columns: {
      id: 'bigint',
      order_id: 'bigint',
      note: 'varchar',
      restock: 'boolean',
      transactions: 'json',
      created_at: 'timestamptz',
      processed_at: 'timestamptz',
      ...SYNCED_COLUMNS,
    },
    rows: refundsOf(company).map(({ order, refund: { amount, at, reason } }) => ({
      id: refundId(order.number),
      order_id: orderId(order.number),
      note: reason,
      restock: reason !== 'Arrived damaged',
      transactions: [{ kind: 'refund', status: 'success', amount: money(amount) }],
      created_at: timestamp(at),
      processed_at: timestamp(at),
      ...synced(at),
    })),
  })
}

export function orderLineRefund(company: Company): RawTable {
  const lines = refundsOf(company).flatMap(({ order, refund: back }) =>
    back.lines.map((line) => ({ order, back, line })),
  )
  return defineTable({
    name: 'order_line_refund',
    key: ['id'],
    columns: {
      id: 'bigint',
      refund_id: 'bigint',
      order_line_id: 'bigint',
      location_id: 'bigint',
      quantity: 'bigint',
      subtotal: 'decimal(12, 2)',
      restock_type: 'varchar',
      ...SYNCED_COLUMNS,
    },
    rows: lines.map(({ back, line, order }) => ({
      id: refundLineId(line.number),
      refund_id: refundId(order.number),
      order_line_id: orderLineId(line.number),
      location_id: locationOf(order.store),
      quantity: line.quantity,
      subtotal: money(line.quantity * line.variant.price),
      restock_type: back.reason === 'Arrived damaged' ? 'no_restock' : 'return',
      ...synced(back.at),
    })),
  })
}
