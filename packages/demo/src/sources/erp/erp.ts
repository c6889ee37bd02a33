import { createRandom } from '../../random.ts'
import type { RawView, SourceBuilder } from '../../raw-table.ts'
import { choices, currencies, exchangeRates, groups, sites } from './basics.ts'
import { items, supplierItems, suppliers } from './items.ts'
import { createPurchases } from './purchases.ts'
import { orderLines, orders, receipts } from './purchasing.ts'
import { stockCounts, stockMovements } from './stock.ts'
import { userGroups, users } from './users.ts'

const VIEWS: readonly RawView[] = [
  {
    name: 'stock_on_hand',
    comment: 'Pieces per item and site, as of now',
    query: 'select sku, site, sum(quantity) as "on hand" from erp.stock_movements group by sku, site',
  },
  {
    name: 'open orders',
    query: `select number, supplier_id, "totalAmount", "orderedAt" from erp."order" where status in ('sent', 'partly received')`,
  },
]

/** Purchasing and stock: a database that people built over the years, and that declares its keys. */
export const erp: SourceBuilder = (company) => {
  const purchases = createPurchases(company, createRandom('erp'))
  return {
    schema: 'erp',
    loader: 'none',
    declaresKeys: true,
    enums: {
      item_status: ['planned', 'active', 'phase-out', 'discontinued'],
      user_role: ['buyer', 'planner', 'store manager', 'admin'],
    },
    tables: [
      currencies(),
      exchangeRates(),
      sites(),
      choices(),
      users(),
      groups(company),
      userGroups(company),
      items(company),
      suppliers(),
      supplierItems(company),
      orders(purchases),
      orderLines(purchases),
      receipts(purchases),
      stockMovements(company, purchases),
      stockCounts(company),
    ],
    views: VIEWS,
  }
}
