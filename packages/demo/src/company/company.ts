import { createRandom } from '../random.ts'
import { type Campaign, createCampaigns } from './campaigns.ts'
import { createCustomers, type Customer } from './customers.ts'
import { createOrders, type Order } from './orders.ts'
import { createProducts, type Product, type Variant } from './products.ts'

/** The history of Northlight Outfitters. Each of its systems records it differently. */
export interface Company {
  readonly campaigns: readonly Campaign[]
  readonly customers: readonly Customer[]
  readonly products: readonly Product[]
  readonly variants: readonly Variant[]
  readonly orders: readonly Order[]
}

/** Creates the company, the same at every call. */
export function createCompany(): Company {
  const campaigns = createCampaigns()
  const products = createProducts(createRandom('products'))
  const customers = createCustomers(createRandom('customers'))
  const orders = createOrders({ campaigns, customers, products }, createRandom('orders'))
  return { campaigns, customers, products, variants: products.flatMap(({ variants }) => variants), orders }
}
