import type { Company } from '../../company/company.ts'
import type { Customer } from '../../company/customers.ts'
import type { Order } from '../../company/orders.ts'
import type { Random } from '../../random.ts'
import { DAY, HOUR, ifPast, LAST_EVENT, MINUTE } from '../../time.ts'

/** The transactions of the payment provider. Amounts are in cents. */
export interface Ledger {
  readonly payers: readonly Payer[]
  readonly subscriptions: readonly Subscription[]
  readonly invoices: readonly Invoice[]
  readonly charges: readonly Charge[]
}

interface Payer {
  readonly id: string
  readonly customer: Customer
}

/** A membership of the Northlight Club. */
export interface Subscription {
  readonly id: string
  readonly payer: Payer
  readonly startedAt: number
  readonly cancelledAt: number | undefined
}

interface Invoice {
  readonly id: string
  readonly subscription: Subscription
  readonly from: number
  readonly to: number
}

export interface Charge {
  readonly id: string
  readonly payer: Payer
  readonly at: number
  readonly amount: number
  readonly failed: boolean
  readonly order?: Order
  readonly invoice?: Invoice
  readonly refund?: ChargeRefund
}

interface ChargeRefund {
  readonly id: string
  readonly at: number
  readonly amount: number
}

export const FEE_PER_MONTH = 990
export const MONTH = 30 * DAY

export function createLedger({ customers, orders }: Company, random: Random): Ledger {
  const payers = customers.map((customer) => ({ id: `cus_${random.token(14)}`, customer }))
  const subscriptions = payers
    .filter(({ customer }) => customer.number % 9 === 4)
    .map((payer) => createSubscription(payer, random))
  const invoices = subscriptions.flatMap((subscription) => createInvoices(subscription, random))
  const payerOf = new Map(payers.map((payer) => [payer.customer, payer]))
  const ofOrders = orders.flatMap((order) => {
    const payer = payerOf.get(order.customer)
    return payer && !order.store ? chargeOrder(order, payer, random) : []
  })
  const ofInvoices = invoices.map((invoice) => ({
    id: `ch_3${random.token(22)}`,
    payer: invoice.subscription.payer,
    at: invoice.from + HOUR,
    amount: FEE_PER_MONTH,
    failed: false,
    invoice,
  }))
  const charges = [...ofOrders, ...ofInvoices].toSorted((a, b) => a.at - b.at)
  return { payers, subscriptions, invoices, charges }
}

function createSubscription(payer: Payer, random: Random): Subscription {
  const startedAt = payer.customer.joinedAt + random.integer(1, 60) * HOUR
  const cancelledAt = ifPast(startedAt + random.integer(20, 700) * DAY)
  return { id: `sub_1${random.token(23)}`, payer, startedAt, cancelledAt }
}

/** Creates an invoice at the beginning of each month. */
function createInvoices(subscription: Subscription, random: Random): readonly Invoice[] {
  const end = subscription.cancelledAt ?? LAST_EVENT - HOUR
  const invoices: Invoice[] = []
  for (let from = subscription.startedAt; from < end; from += MONTH) {
    invoices.push({ id: `in_1${random.token(23)}`, subscription, from, to: from + MONTH })
  }
  return invoices
}

/** Creates the charges of an order. Some cards are refused at first. */
function chargeOrder(order: Order, payer: Payer, random: Random): readonly Charge[] {
  const paid = { payer, amount: order.total, order }
  const success = {
    ...paid,
    id: `ch_3${random.token(22)}`,
    at: order.placedAt,
    failed: false,
    ...refundOf(order, random),
  }
  if (!random.chance(0.04)) return [success]
  return [{ ...paid, id: `ch_3${random.token(22)}`, at: order.placedAt - MINUTE, failed: true }, success]
}

function refundOf({ cancelledAt, refund, total }: Order, random: Random): Pick<Charge, 'refund'> {
  const id = `re_3${random.token(22)}`
  if (cancelledAt !== undefined) return { refund: { id, at: cancelledAt, amount: total } }
  return refund ? { refund: { id, at: refund.at, amount: Math.min(refund.amount, total) } } : {}
}
