import type { Random } from '../random.ts'
import { DAY, HOUR, ifPast, LAST_EVENT, MINUTE, SECOND } from '../time.ts'
import type { Campaign } from './campaigns.ts'
import type { Customer } from './customers.ts'
import { type Store, STORES } from './places.ts'
import type { Product, Variant } from './products.ts'

/** One purchase of a customer. Amounts are in cents. */
export interface Order {
  /** 1001, 1002 … in the order in which they were placed. */
  readonly number: number
  readonly customer: Customer
  readonly placedAt: number
  /** The store that sold it; undefined for the online shop. */
  readonly store: Store | undefined
  /** The campaign that led the customer to the online shop. */
  readonly campaign: Campaign | undefined
  readonly lines: readonly OrderLine[]
  readonly subtotal: number
  readonly discount: number
  readonly shipping: number
  readonly tax: number
  readonly total: number
  readonly cancelledAt: number | undefined
  readonly shippedAt: number | undefined
  readonly deliveredAt: number | undefined
  readonly refund: Refund | undefined
}

export interface OrderLine {
  /** 1, 2, 3 … over all orders. */
  readonly number: number
  readonly variant: Variant
  readonly quantity: number
}

/** Lines that were returned completely. The amount leaves out the tax and the discount of the order. */
export interface Refund {
  readonly at: number
  readonly reason: string
  readonly lines: readonly OrderLine[]
  readonly amount: number
}

interface Shop {
  readonly customers: readonly Customer[]
  readonly products: readonly Product[]
  readonly campaigns: readonly Campaign[]
}

const ORDERS = 1800
const TAX_RATE = 0.08
const FREE_SHIPPING = 7500
const REFUND_REASONS = [
  'Too small',
  'Too large',
  'Changed my mind',
  'Arrived damaged',
  'Not as described: "more green than moss"',
]

export function createOrders({ campaigns, customers, products }: Shop, random: Random): readonly Order[] {
  const variants = products.flatMap((product) => product.variants)
  const visits = Array.from({ length: ORDERS }, () => {
    const customer = random.pickEarly(customers)
    const span = (LAST_EVENT - 2 * HOUR - customer.joinedAt) / SECOND
    return { customer, placedAt: customer.joinedAt + random.integer(60, Math.floor(span)) * SECOND }
  })
  let lines = 0
  return visits
    .toSorted((a, b) => a.placedAt - b.placedAt)
    .map(({ customer, placedAt }, index) => {
      const bought = pickVariants(variants, random).map((variant) => ({
        number: ++lines,
        variant,
        quantity: random.chance(0.15) ? random.integer(2, 4) : 1,
      }))
      const store = random.chance(0.28) ? random.pick(shopsOpenAt(placedAt)) : undefined
      const running = campaigns.filter(({ endsAt, startsAt }) => startsAt <= placedAt && placedAt < endsAt)
      const campaign = !store && running.length > 0 && random.chance(0.55) ? random.pick(running) : undefined
      return {
        number: 1001 + index,
        customer,
        placedAt,
        store,
        campaign,
        lines: bought,
        ...amounts(bought, { ships: !store, isReduced: random.chance(0.12) }),
        ...course(placedAt, bought, { ships: !store }, random),
      }
    })
}

function shopsOpenAt(moment: number): readonly Store[] {
  return STORES.filter(({ closedAt, isShop }) => isShop && moment < (closedAt ?? Infinity))
}

function pickVariants(variants: readonly Variant[], random: Random): readonly Variant[] {
  const picked = Array.from({ length: random.pick([1, 1, 2, 2, 3, 4]) }, () => random.pick(variants))
  return [...new Set(picked)]
}

type Amounts = Pick<Order, 'subtotal' | 'discount' | 'shipping' | 'tax' | 'total'>

function amounts(
  lines: readonly OrderLine[],
  { isReduced, ships }: { readonly ships: boolean; readonly isReduced: boolean },
): Amounts {
  const subtotal = sumOf(lines)
  const discount = isReduced ? Math.round(subtotal / 10) : 0
  const shipping = ships && subtotal < FREE_SHIPPING ? 795 : 0
  const tax = Math.round((subtotal - discount) * TAX_RATE)
  return { subtotal, discount, shipping, tax, total: subtotal - discount + shipping + tax }
}

type Course = Pick<Order, 'cancelledAt' | 'shippedAt' | 'deliveredAt' | 'refund'>

/** Decides the course of an order: cancelled, or shipped, delivered and perhaps returned. */
function course(
  placedAt: number,
  lines: readonly OrderLine[],
  { ships }: { readonly ships: boolean },
  random: Random,
): Course {
  const soon = placedAt + random.integer(10, 90) * MINUTE
  const shipped = placedAt + random.integer(4, 70) * HOUR
  const delivered = shipped + random.integer(24, 140) * HOUR
  const returned = (ships ? delivered : placedAt) + random.integer(1, 21) * DAY
  const [wasCancelled, wasReturned] = [ships && random.chance(0.03), random.chance(0.08)]
  const back = lines.slice(0, random.integer(1, lines.length))
  const reason = random.pick(REFUND_REASONS)
  if (wasCancelled && ifPast(soon)) {
    return { cancelledAt: soon, shippedAt: undefined, deliveredAt: undefined, refund: undefined }
  }
  return {
    cancelledAt: undefined,
    shippedAt: ships ? ifPast(shipped) : undefined,
    deliveredAt: ships ? ifPast(delivered) : undefined,
    refund:
      wasReturned && ifPast(returned)
        ? { at: returned, reason, lines: back, amount: sumOf(back) }
        : undefined,
  }
}

function sumOf(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, { quantity, variant }) => sum + variant.price * quantity, 0)
}

/** Returns the time of the last change to an order. */
export function lastChange({ cancelledAt, deliveredAt, placedAt, refund, shippedAt }: Order): number {
  return refund?.at ?? deliveredAt ?? shippedAt ?? cancelledAt ?? placedAt
}
