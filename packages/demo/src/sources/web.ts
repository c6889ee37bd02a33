import type { Company } from '../company/company.ts'
import type { Customer } from '../company/customers.ts'
import { money } from '../company/money.ts'
import type { Order } from '../company/orders.ts'
import { createRandom, type Random } from '../random.ts'
import { defineTable, type RawTable, type Row, type SourceBuilder } from '../raw-table.ts'
import { DAY, LAST_EVENT, MINUTE, SECOND, timestamp } from '../time.ts'
import { customerId, orderId } from './shopify/ids.ts'

const EVENT_COLUMNS = {
  id: 'varchar',
  anonymous_id: 'varchar',
  user_id: 'varchar',
  context_ip: 'varchar',
  context_user_agent: 'varchar',
  context_locale: 'varchar',
  context_library_name: 'varchar',
  original_timestamp: 'timestamp',
  sent_at: 'timestamp',
  received_at: 'timestamp',
  timestamp: 'timestamp',
  uuid_ts: 'timestamp',
} as const

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
]
const PATHS = [
  '/',
  '/collections/tents',
  '/collections/outerwear',
  '/search?q=boots',
  '/cart',
  '/pages/returns',
]

/** The share of events that arrive twice, because the browser missed the first confirmation. */
const RESENT = 0.025
const RECENT = LAST_EVENT - 270 * DAY

interface Event {
  readonly id: string
  readonly customer: Customer
  readonly at: number
  /** True if the visitor has signed in. */
  readonly isKnown: boolean
}

function eventId(random: Random): string {
  return `ajs-next-${random.hex(32)}`
}

/** Returns the id of the event for a completed order. The event is in two tables. */
function completionId({ number }: Order): string {
  return eventId(createRandom(`web.order.${number}`))
}

/** Creates the row of an event as it was first received, and a second row if it was sent again. */
function collect<Fields extends Row>({ at, customer, id, isKnown }: Event, fields: Fields) {
  const random = createRandom(id)
  const delay = random.integer(80, 4000)
  const event = {
    id,
    anonymous_id: customer.visitor,
    user_id: isKnown ? String(customerId(customer.number)) : null,
    context_ip: `203.0.113.${customer.number % 250}`,
    context_user_agent: AGENTS[customer.number % AGENTS.length] ?? null,
    context_locale: customer.place.region === 'QC' ? 'fr-CA' : `en-${customer.place.country}`,
    context_library_name: 'analytics.js',
    original_timestamp: timestamp(at),
    sent_at: timestamp(at + 40),
    timestamp: timestamp(at + 12),
    ...fields,
  }
  const arrival = (lag: number) => ({
    received_at: timestamp(at + lag),
    uuid_ts: timestamp(Math.ceil((at + lag) / (5 * MINUTE)) * 5 * MINUTE),
  })
  const first = { ...event, ...arrival(delay) }
  return random.chance(RESENT) ? [first, { ...event, ...arrival(delay + 30 * SECOND) }] : [first]
}

function recentOrders({ orders }: Company): readonly Order[] {
  return orders.filter(({ placedAt, store }) => !store && placedAt >= RECENT)
}

function pageViews(company: Company): RawTable {
  const random = createRandom('web.page_views')
  const visits = recentOrders(company).flatMap((order) =>
    Array.from({ length: random.integer(1, 6) }, (_, step) => ({
      order,
      path: step === 0 ? `/products/${random.pick(order.lines).variant.product.handle}` : random.pick(PATHS),
      at: order.placedAt - random.integer(1, 50 * 60) * SECOND,
    })),
  )
  return defineTable({
    name: 'page_views',
    key: ['id'],
    columns: {
      ...EVENT_COLUMNS,
      name: 'varchar',
      path: 'varchar',
      url: 'varchar',
      title: 'varchar',
      referrer: 'varchar',
      context_campaign_name: 'varchar',
      context_campaign_source: 'varchar',
    },
    rows: visits
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ at, order, path }) => {
        const { campaign, customer } = order
        return collect(
          { id: eventId(random), customer, at, isKnown: random.chance(0.4) },
          {
            name: path === '/' ? 'Home' : null,
            path,
            url: `https://northlight.example${path}`,
            title: 'Northlight Outfitters',
            referrer: random.chance(0.5) ? 'https://www.google.com/' : null,
            context_campaign_name: campaign?.slug ?? null,
            context_campaign_source: campaign?.platform ?? null,
          },
        )
      }),
  })
}

const EVENT_TEXTS: Readonly<Record<string, string>> = {
  product_added: 'Product Added',
  checkout_started: 'Checkout Started',
  order_completed: 'Order Completed',
}

/** Creates the table of all tracked events with their common columns, one row each. */
function tracks(company: Company): RawTable {
  const random = createRandom('web.tracks')
  const events = recentOrders(company).flatMap((order) => {
    const { customer, lines, placedAt } = order
    const steps = [
      ...lines.map((_, index) => ({ name: 'product_added', at: placedAt - (20 - index) * MINUTE })),
      { name: 'checkout_started', at: placedAt - 3 * MINUTE },
    ]
    return [
      ...steps.map((step) => ({ ...step, id: eventId(random), customer, isKnown: random.chance(0.7) })),
      { name: 'order_completed', at: placedAt, id: completionId(order), customer, isKnown: true },
    ]
  })
  return defineTable({
    name: 'tracks',
    key: ['id'],
    columns: { ...EVENT_COLUMNS, event: 'varchar', event_text: 'varchar' },
    rows: events
      .toSorted((a, b) => a.at - b.at)
      .flatMap(({ name, ...event }) =>
        collect(event, { event: name, event_text: EVENT_TEXTS[name] ?? name }),
      ),
  })
}

function orderCompleted(company: Company): RawTable {
  return defineTable({
    name: 'order_completed',
    key: ['id'],
    columns: {
      ...EVENT_COLUMNS,
      event: 'varchar',
      order_id: 'varchar',
      currency: 'varchar',
      total: 'double',
      coupon: 'varchar',
      products: 'varchar',
    },
    rows: recentOrders(company).flatMap((order) =>
      collect(
        { id: completionId(order), customer: order.customer, at: order.placedAt, isKnown: true },
        {
          event: 'order_completed',
          order_id: String(orderId(order.number)),
          currency: 'USD',
          total: money(order.total),
          coupon: order.discount > 0 ? 'TRAIL10' : null,
          products: order.lines.map(({ quantity, variant }) => ({ sku: variant.sku, quantity })),
        },
      ),
    ),
  })
}

function identifies({ customers }: Company): RawTable {
  const random = createRandom('web.identifies')
  return defineTable({
    name: 'identifies',
    key: ['id'],
    columns: { ...EVENT_COLUMNS, email: 'varchar', first_name: 'varchar', newsletter: 'boolean' },
    rows: customers.flatMap((customer) =>
      collect(
        { id: eventId(random), customer, at: customer.joinedAt, isKnown: true },
        {
          email: customer.email,
          first_name: customer.firstName,
          newsletter: customer.wantsNewsletter,
        },
      ),
    ),
  })
}

/** The actions of visitors, loaded by Segment with at-least-once delivery, so some events appear twice. */
export const web: SourceBuilder = (company) => ({
  schema: 'web',
  loader: 'Segment',
  tables: [pageViews(company), tracks(company), identifies(company), orderCompleted(company)],
})
