import type { Company } from '../../company/company.ts'
import { money } from '../../company/money.ts'
import { lastChange, type Order, type OrderLine } from '../../company/orders.ts'
import { createRandom, type Random } from '../../random.ts'
import { defineTable, type RawTable } from '../../raw-table.ts'
import { epoch, MINUTE, SECOND, timestamp, timestampOrNull } from '../../time.ts'
import { deletable, DELETED_COLUMNS, synced, SYNCED_COLUMNS } from './fivetran.ts'
import { customerId, orderId, orderLineId, productId, variantId } from './ids.ts'
import { locationOf } from './locations.ts'

const updatedAt = (order: Order): number => lastChange(order) + SECOND

/** Trial orders, which were placed to test the checkout and then deleted. */
const isTrial = ({ number }: Order): boolean => number % 100 === 50

export function ordersTable({ orders }: Company): RawTable {
  const random = createRandom('shopify.orders')
  return defineTable({
    name: 'orders',
    key: ['id'],
    columns: {
      id: 'bigint',
      name: 'varchar',
      order_number: 'bigint',
      customer_id: 'bigint',
      location_id: 'bigint',
      email: 'varchar',
      financial_status: 'varchar',
      fulfillment_status: 'varchar',
      source_name: 'varchar',
      currency: 'varchar',
      subtotal_price: 'decimal(12, 2)',
      total_discounts: 'decimal(12, 2)',
      total_tax: 'decimal(12, 2)',
      total_price: 'decimal(12, 2)',
      total_price_set: 'json',
      shipping_address: 'json',
      client_details: 'json',
      landing_site: 'varchar',
      checkout_token: 'varchar',
      checkout_started: 'bigint',
      test: 'boolean',
      taxes_included: 'boolean',
      cancel_reason: 'varchar',
      note: 'varchar',
      processed_at: 'timestamptz',
      cancelled_at: 'timestamptz',
      closed_at: 'timestamptz',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
      ...DELETED_COLUMNS,
    },
    rows: orders.map((order) => ({
      ...orderFacts(order),
      ...checkout(order, random),
      ...orderTimes(order),
      ...deletable(updatedAt(order), isTrial(order)),
    })),
  })
}

function orderFacts(order: Order) {
  return {
    id: orderId(order.number),
    name: `#${order.number}`,
    order_number: order.number,
    customer_id: customerId(order.customer.number),
    location_id: order.store ? locationOf(order.store) : null,
    email: order.customer.email,
    financial_status: financialStatus(order),
    fulfillment_status: order.shippedAt || order.store ? 'fulfilled' : null,
    source_name: order.store ? 'pos' : 'web',
    currency: 'USD',
    subtotal_price: money(order.subtotal - order.discount),
    total_discounts: money(order.discount),
    total_tax: money(order.tax),
    total_price: money(order.total),
    total_price_set: moneySet(order.total),
    test: isTrial(order),
    taxes_included: false,
    cancel_reason: order.cancelledAt ? 'customer' : null,
  }
}

function checkout(order: Order, random: Random) {
  const { customer, campaign, placedAt, store } = order
  const { place } = customer
  const address = { address1: customer.street, city: place.city, province_code: place.region }
  const landing = campaign ? `/?utm_source=${campaign.platform}&utm_campaign=${campaign.slug}` : '/'
  const token = random.hex(32)
  const started = placedAt - random.integer(2, 25) * MINUTE
  return {
    shipping_address: store ? null : { ...address, country_code: place.country, zip: place.postalCode },
    client_details: store ? null : { browser_ip: `203.0.113.${order.number % 250}`, accept_language: 'en' },
    landing_site: store ? null : landing,
    checkout_token: store ? null : token,
    checkout_started: store ? null : epoch(started),
    note: random.chance(0.03) ? 'Please leave it behind the shed; gate code: 41#7' : null,
  }
}

function orderTimes(order: Order) {
  return {
    processed_at: timestamp(order.placedAt),
    cancelled_at: timestampOrNull(order.cancelledAt),
    closed_at: timestampOrNull(order.deliveredAt),
    created_at: timestamp(order.placedAt + SECOND),
    updated_at: timestamp(updatedAt(order)),
  }
}

function financialStatus({ cancelledAt, refund, subtotal }: Order): string {
  if (cancelledAt) return 'voided'
  if (!refund) return 'paid'
  return refund.amount >= subtotal ? 'refunded' : 'partially_refunded'
}

function moneySet(cents: number) {
  const amount = { amount: money(cents), currency_code: 'USD' }
  return { shop_money: amount, presentment_money: amount }
}

export function orderLine({ orders }: Company): RawTable {
  return defineTable({
    name: 'order_line',
    key: ['id'],
    columns: {
      id: 'bigint',
      order_id: 'bigint',
      index: 'bigint',
      product_id: 'bigint',
      variant_id: 'bigint',
      name: 'varchar',
      sku: 'varchar',
      vendor: 'varchar',
      quantity: 'bigint',
      price: 'decimal(12, 2)',
      total_discount: 'decimal(12, 2)',
      grams: 'bigint',
      taxable: 'boolean',
      gift_card: 'boolean',
      requires_shipping: 'boolean',
      properties: 'json',
      ...SYNCED_COLUMNS,
    },
    rows: orders.flatMap((order) => order.lines.map((line, index) => orderLineRow(line, order, index))),
  })
}

function orderLineRow({ number, quantity, variant }: OrderLine, order: Order, index: number) {
  const { product } = variant
  return {
    id: orderLineId(number),
    order_id: orderId(order.number),
    index,
    product_id: productId(product.number),
    variant_id: variantId(variant.number),
    name: `${product.title} - ${variant.color} / ${variant.size}`,
    sku: variant.sku,
    vendor: product.vendor,
    quantity,
    price: money(variant.price),
    total_discount: '0.00',
    grams: variant.grams,
    taxable: variant.ships,
    gift_card: !variant.ships,
    requires_shipping: variant.ships,
    properties: variant.ships ? [] : [{ name: 'Recipient', value: order.customer.email }],
    ...synced(order.placedAt),
  }
}
