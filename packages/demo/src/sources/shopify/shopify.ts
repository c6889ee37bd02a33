import type { SourceBuilder } from '../../raw-table.ts'
import { fulfillment, orderLineRefund, refund } from './after-sale.ts'
import { customer, customerAddress, customerTag } from './customers.ts'
import { location } from './locations.ts'
import { orderLine, ordersTable } from './orders.ts'
import { collection, collectionProduct, inventoryLevel, product, productVariant } from './products.ts'

/** The online shop and the tills, loaded by Fivetran: one row per key, with a flag for deleted rows. */
export const shopify: SourceBuilder = (company) => ({
  schema: 'shopify',
  loader: 'Fivetran',
  tables: [
    location(),
    customer(company),
    customerAddress(company),
    customerTag(company),
    product(company),
    productVariant(company),
    collection(company),
    collectionProduct(company),
    inventoryLevel(company),
    ordersTable(company),
    orderLine(company),
    fulfillment(company),
    refund(company),
    orderLineRefund(company),
  ],
})
