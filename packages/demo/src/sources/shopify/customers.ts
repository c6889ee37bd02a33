import type { Company } from '../../company/company.ts'
import type { Customer } from '../../company/customers.ts'
import { money } from '../../company/money.ts'
import type { Order } from '../../company/orders.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { createRandom } from '../../random.ts'
import { timestamp, timestampOrNull } from '../../time.ts'
import { deletable, DELETED_COLUMNS } from './fivetran.ts'
import { addressId, customerId } from './ids.ts'

export function customer({ customers, orders }: Company): RawTable {
  const ordersOf = Map.groupBy(orders, (order) => order.customer.number)
  return defineTable({
    name: 'customer',
    key: ['id'],
    columns: {
      id: 'bigint',
      email: 'varchar',
      first_name: 'varchar',
      last_name: 'varchar',
      phone: 'varchar',
      state: 'varchar',
      currency: 'varchar',
      orders_count: 'bigint',
      total_spent: 'decimal(12, 2)',
      verified_email: 'boolean',
      tax_exempt: 'boolean',
      email_marketing_consent: 'json',
      note: 'varchar',
      default_address_id: 'bigint',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: customers.map((person) => customerRow(person, ordersOf.get(person.number) ?? [])),
  })
}

function customerRow(person: Customer, orders: readonly Order[]) {
  const updatedAt = orders.at(-1)?.placedAt ?? person.joinedAt
  return {
    id: customerId(person.number),
    email: person.email,
    first_name: person.firstName,
    last_name: person.lastName,
    phone: person.number % 4 === 0 ? null : person.phone,
    state: orders.length > 0 ? 'enabled' : 'disabled',
    currency: 'USD',
    orders_count: orders.length,
    total_spent: money(orders.reduce((sum, { total }) => sum + total, 0)),
    verified_email: person.number % 9 !== 0,
    tax_exempt: false,
    email_marketing_consent: {
      state: person.wantsNewsletter ? 'subscribed' : 'not_subscribed',
      opt_in_level: 'single_opt_in',
      consent_updated_at: timestampOrNull(person.wantsNewsletter ? person.joinedAt : undefined),
    },
    note: person.number % 40 === 0 ? `Prefers "quiet" parcels; don't ring` : null,
    default_address_id: addressId(person.number * 2),
    created_at: timestamp(person.joinedAt),
    updated_at: timestamp(updatedAt),
    ...deletable(updatedAt, person.isForgotten),
  }
}

/** Creates the default address of each customer, and the previous one of those who moved. */
export function customerAddress({ customers }: Company): RawTable {
  const addresses = customers.flatMap((person) => {
    const current = { person, number: person.number * 2, street: person.street, isDefault: true }
    if (person.number % 8 !== 0) return [current]
    const before = { ...current, number: current.number + 1, street: `${person.number} Elm Street` }
    return [current, { ...before, isDefault: false }]
  })
  return defineTable({
    name: 'customer_address',
    key: ['id'],
    columns: {
      id: 'bigint',
      customer_id: 'bigint',
      default: 'boolean',
      first_name: 'varchar',
      last_name: 'varchar',
      address_1: 'varchar',
      city: 'varchar',
      province_code: 'varchar',
      country_code: 'varchar',
      zip: 'varchar',
      phone: 'varchar',
      ...DELETED_COLUMNS,
    },
    rows: addresses.map(({ isDefault, number, person, street }) => ({
      id: addressId(number),
      customer_id: customerId(person.number),
      default: isDefault,
      first_name: person.firstName,
      last_name: person.lastName,
      address_1: street,
      city: person.place.city,
      province_code: person.place.region,
      country_code: person.place.country,
      zip: person.place.postalCode,
      phone: isDefault ? person.phone : null,
      ...deletable(person.joinedAt, person.isForgotten || (!isDefault && number % 3 === 0)),
    })),
  })
}

/** Creates a table without a key in the source, for which Fivetran adds a hash. */
export function customerTag({ customers, orders }: Company): RawTable {
  const random = createRandom('shopify.customer_tag')
  const buyers = new Set(orders.map((order) => order.customer.number))
  const tags = customers.flatMap((person) => [
    ...(person.wantsNewsletter ? [{ person, value: 'newsletter' }] : []),
    ...(person.place.country === 'CA' ? [{ person, value: 'canada' }] : []),
    ...(buyers.has(person.number) ? [] : [{ person, value: 'never-ordered' }]),
  ])
  return defineTable({
    name: 'customer_tag',
    key: ['_fivetran_id'],
    columns: {
      _fivetran_id: 'varchar',
      customer_id: 'bigint',
      value: 'varchar',
      ...DELETED_COLUMNS,
    },
    rows: tags.map(({ person, value }) => ({
      _fivetran_id: random.token(27),
      customer_id: customerId(person.number),
      value,
      ...deletable(person.joinedAt, person.isForgotten),
    })),
  })
}
