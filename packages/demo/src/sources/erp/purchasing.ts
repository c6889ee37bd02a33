import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, timestamp } from '../../time.ts'
import { exact, unitCost } from './items.ts'
import type { Purchase } from './purchases.ts'
import { USERS } from './users.ts'

export function orders(purchases: readonly Purchase[]): RawTable {
  return defineTable({
    name: 'order',
    key: ['number'],
    comment: `Purchase orders: what we order from suppliers, not what customers order from us ("sales")`,
    columns: {
      number: 'varchar',
      supplier_id: 'integer not null references erp.suppliers (id)',
      user: 'integer not null references erp."user" (id)',
      status:
        "varchar not null check (status in ('draft', 'sent', 'partly received', 'received', 'cancelled'))",
      currency: "varchar not null default 'USD' references erp.currencies (code)",
      totalAmount: 'decimal(14, 2) not null check ("totalAmount" >= 0)',
      from: 'date',
      to: 'date',
      select: 'boolean',
      terms: 'json',
      comment: 'varchar',
      orderedAt: 'timestamptz not null',
      'last changed': 'timestamp not null',
    },
    constraints: ['check ("from" is null or "to" is null or "from" <= "to")'],
    comments: {
      status: `draft, sent, partly received, received or cancelled: set by {{ erp.workflow }}, never by hand`,
      from: 'First day of the delivery window',
      to: 'Last day of the delivery window; null: open',
      select: 'Marked in the list of orders # by anybody',
      number: 'PO-<year>-<running number>',
    },
    rows: purchases.map((purchase) => ({
      number: purchase.number,
      supplier_id: purchase.supplier,
      user: purchase.buyer,
      status: statusOf(purchase),
      currency: 'USD',
      totalAmount: (totalOf(purchase) / 10_000).toFixed(2),
      from: day(purchase.orderedAt + 10 * DAY),
      to: purchase.supplier % 3 === 0 ? null : day(purchase.orderedAt + 60 * DAY),
      select: purchase.supplier % 5 === 0 ? null : purchase.supplier % 2 === 0,
      terms: { incoterm: 'FCA', 'payment days': purchase.supplier % 2 === 0 ? 30 : 60 },
      comment: purchase.lines.length > 8 ? 'Split if needed:\n1) tents\n2) the rest' : null,
      orderedAt: timestamp(purchase.orderedAt),
      'last changed': timestamp(Math.min(purchase.orderedAt + 3 * DAY, LAST_EVENT)),
    })),
  })
}

function totalOf({ lines }: Purchase): number {
  return lines.reduce((sum, { quantity, variant }) => sum + unitCost(variant) * quantity, 0)
}

function statusOf({ isCancelled, lines, orderedAt }: Purchase): string {
  if (isCancelled) return 'cancelled'
  const received = lines.filter(({ receipt }) => receipt).length
  if (received === 0) return orderedAt > LAST_EVENT - 3 * DAY || lines.length === 0 ? 'draft' : 'sent'
  return received === lines.length ? 'received' : 'partly received'
}

export function orderLines(purchases: readonly Purchase[]): RawTable {
  const lines = purchases.flatMap((purchase) => purchase.lines.map((line) => ({ purchase, line })))
  return defineTable({
    name: 'order_lines',
    key: ['order', 'line.no'],
    columns: {
      order: 'varchar not null references erp."order" (number)',
      'line.no': 'smallint not null check ("line.no" > 0)',
      sku: 'varchar not null references erp.items (sku)',
      quantity: 'integer not null check (quantity > 0)',
      unitPrice: 'decimal(12, 4) not null',
      'discount %': 'decimal(5, 2)',
      'due date': 'date',
    },
    comments: { 'discount %': '0 to 100; null is "none agreed"' },
    rows: lines.map(({ line, purchase }) => ({
      order: purchase.number,
      'line.no': line.number,
      sku: line.variant.sku,
      quantity: line.quantity,
      unitPrice: exact(unitCost(line.variant)),
      'discount %': line.quantity >= 48 ? '2.50' : null,
      'due date': day(line.dueAt),
    })),
  })
}

export function receipts(purchases: readonly Purchase[]): RawTable {
  const random = createRandom('erp.receipts')
  const received = purchases.flatMap((purchase) =>
    purchase.lines.flatMap((line) => (line.receipt ? [{ purchase, line, receipt: line.receipt }] : [])),
  )
  return defineTable({
    name: 'receipts',
    key: ['id'],
    comment: 'Goods that arrived for a line of a purchase order',
    columns: {
      id: 'uuid',
      order: 'varchar not null',
      'line.no': 'smallint not null',
      user: 'integer references erp."user" (id)',
      receivedAt: 'timestamptz not null',
      quantity: 'integer not null',
      condition: "varchar not null check (condition in ('ok', 'damaged', 'supplier''s error'))",
      pallets: 'integer[]',
    },
    constraints: ['foreign key ("order", "line.no") references erp.order_lines ("order", "line.no")'],
    rows: received.map(({ line, purchase, receipt }) => ({
      id: receipt.id,
      order: purchase.number,
      'line.no': line.number,
      user: random.chance(0.1) ? null : random.integer(12, USERS),
      receivedAt: timestamp(receipt.at),
      quantity: receipt.condition === 'ok' ? line.quantity : line.quantity - 1,
      condition: receipt.condition,
      pallets: random.chance(0.3) ? null : [random.integer(1, 40), random.integer(41, 80)],
    })),
  })
}
