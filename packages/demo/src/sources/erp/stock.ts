import type { Company } from '../../company/company.ts'
import { OPEN_STORES } from '../../company/places.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { DAY, day, LAST_EVENT, timestamp } from '../../time.ts'
import { siteOf } from './basics.ts'
import type { Purchase } from './purchases.ts'
import { USERS } from './users.ts'

/** A change of the stock on the shelves. */
interface Movement {
  readonly sku: string
  readonly site: string
  readonly at: number
  readonly quantity: number
  readonly reason: 'sale' | 'return' | 'receipt' | 'shrinkage'
  readonly document: { readonly kind: string; readonly number: string } | null
}

/** The time at which the ERP replaced the spreadsheets for stock. */
const FIRST_MOVEMENT = LAST_EVENT - 200 * DAY

export function stockMovements(company: Company, purchases: readonly Purchase[]): RawTable {
  const random = createRandom('erp.stock_movements')
  const movements = [...sales(company), ...returns(company), ...deliveries(purchases), ...losses(company)]
    .filter(({ at }) => at >= FIRST_MOVEMENT)
    .toSorted((a, b) => a.at - b.at)
  return defineTable({
    name: 'stock_movements',
    key: ['id'],
    comment: `Every change of the stock: never updated, only appended\n\n{% note %} Sum "quantity" for the stock {% endnote %}`,
    columns: {
      id: 'uuid',
      sku: 'varchar not null references erp.items (sku)',
      site: 'varchar not null references erp.sites (code)',
      user: 'integer references erp."user" (id)',
      quantity: 'integer not null check (quantity <> 0)',
      reason: "varchar not null check (reason in ('sale', 'return', 'receipt', 'shrinkage'))",
      document: 'struct(kind varchar, number varchar)',
      movedAt: 'timestamptz not null',
    },
    comments: { quantity: 'Pieces: in is positive, out is negative' },
    rows: movements.map(({ at, document, quantity, reason, sku, site }) => ({
      id: random.uuid(),
      sku,
      site,
      user: reason === 'sale' ? null : random.integer(1, USERS),
      quantity,
      reason,
      document,
      movedAt: timestamp(at),
    })),
  })
}

function sales({ orders }: Company): readonly Movement[] {
  return orders
    .filter(({ cancelledAt }) => cancelledAt === undefined)
    .flatMap((order) =>
      order.lines
        .filter(({ variant }) => variant.ships)
        .map(({ quantity, variant }) => ({
          sku: variant.sku,
          site: siteOf(order.store),
          at: order.placedAt,
          quantity: -quantity,
          reason: 'sale' as const,
          document: { kind: 'sales order', number: `#${order.number}` },
        })),
    )
}

function returns({ orders }: Company): readonly Movement[] {
  return orders.flatMap(({ number, refund, store }) =>
    (refund?.lines ?? []).map((line) => ({
      sku: line.variant.sku,
      site: siteOf(store),
      at: refund?.at ?? 0,
      quantity: line.quantity,
      reason: 'return' as const,
      document: { kind: 'refund', number: `#${number}` },
    })),
  )
}

function deliveries(purchases: readonly Purchase[]): readonly Movement[] {
  return purchases.flatMap((purchase) =>
    purchase.lines.flatMap(({ quantity, receipt, variant }) => {
      if (!receipt) return []
      const document = { kind: 'receipt', number: receipt.id }
      const pieces = receipt.condition === 'ok' ? quantity : quantity - 1
      const { sku } = variant
      return [{ sku, site: 'DC01', at: receipt.at, quantity: pieces, reason: 'receipt' as const, document }]
    }),
  )
}

function losses({ variants }: Company): readonly Movement[] {
  return variants
    .filter(({ number, ships }) => ships && number % 4 === 0)
    .map(({ number, sku }) => ({
      sku,
      site: OPEN_STORES[number % OPEN_STORES.length]?.code ?? 'DC01',
      at: LAST_EVENT - number * DAY,
      quantity: -1,
      reason: 'shrinkage' as const,
      document: null,
    }))
}

/** Creates the counts: twice a year, of some items at every site. */
export function stockCounts({ variants }: Company): RawTable {
  const random = createRandom('erp.stock_counts')
  const counts = [LAST_EVENT - 180 * DAY, LAST_EVENT - 20 * DAY].flatMap((at, round) =>
    variants
      .filter(({ number, ships }) => ships && number % 3 === round)
      .flatMap(({ sku }) => OPEN_STORES.map(({ code }) => ({ at, code, sku }))),
  )
  return defineTable({
    name: 'stock_counts',
    key: ['site', 'sku', 'counted on'],
    columns: {
      site: 'varchar not null references erp.sites (code)',
      sku: 'varchar not null references erp.items (sku)',
      'counted on': 'date not null',
      user: 'integer references erp."user" (id)',
      expected: 'integer not null',
      counted: 'integer not null check (counted >= 0)',
      'time taken': 'interval',
    },
    comments: { 'time taken': 'Blank: not measured' },
    rows: counts.map(({ at, code, sku }) => {
      const expected = random.integer(0, 30)
      return {
        site: code,
        sku,
        'counted on': day(at),
        user: random.integer(12, USERS),
        expected,
        counted: Math.max(0, expected - random.pick([0, 0, 0, 0, 1, -1, 2])),
        'time taken': random.chance(0.4)
          ? null
          : `${random.integer(1, 12)} minutes ${random.integer(0, 59)} seconds`,
      }
    }),
  })
}
