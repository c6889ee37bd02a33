import { fullName } from '../../company/people.ts'
import { createRandom } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { epoch } from '../../time.ts'
import { customerId } from '../shopify/ids.ts'
import { AIRBYTE_COLUMNS, extracted } from './airbyte.ts'
import type { Ledger } from './ledger.ts'

export function customers({ payers }: Ledger): RawTable {
  const random = createRandom('stripe.customers')
  return defineTable({
    name: 'customers',
    key: ['id'],
    columns: {
      ...AIRBYTE_COLUMNS,
      id: 'varchar',
      object: 'varchar',
      name: 'varchar',
      email: 'varchar',
      phone: 'varchar',
      address: 'json',
      balance: 'bigint',
      currency: 'varchar',
      delinquent: 'boolean',
      livemode: 'boolean',
      invoice_prefix: 'varchar',
      metadata: 'varchar',
      created: 'bigint',
      updated: 'bigint',
    },
    rows: payers.map(({ customer, id }) => {
      const { place } = customer
      return {
        ...extracted(customer.joinedAt, random),
        id,
        object: 'customer',
        name: fullName(customer),
        email: customer.email,
        phone: customer.phone,
        address: { line1: customer.street, city: place.city, state: place.region, country: place.country },
        balance: 0,
        currency: 'usd',
        delinquent: random.chance(0.01),
        livemode: true,
        invoice_prefix: random.hex(8).toUpperCase(),
        metadata: { shopify_customer_id: String(customerId(customer.number)) },
        created: epoch(customer.joinedAt),
        updated: epoch(customer.joinedAt),
      }
    }),
  })
}
