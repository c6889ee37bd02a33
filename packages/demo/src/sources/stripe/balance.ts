import type { Random } from '../../random.ts'
import { DAY, LAST_EVENT } from '../../time.ts'
import type { Charge } from './ledger.ts'

/** A movement of money into or out of the account at Stripe, in cents. */
export interface BalanceTransaction {
  readonly id: string
  readonly type: 'charge' | 'refund' | 'payout'
  /** The id of the charge, refund or payout that moved the money. */
  readonly source: string
  readonly at: number
  readonly amount: number
  readonly fee: number
}

const WEEK = 7 * DAY

/** Creates the balance entries of charges and refunds, and a weekly payout of the rest. */
export function createBalance(charges: readonly Charge[], random: Random): readonly BalanceTransaction[] {
  const movements = charges
    .filter(({ failed }) => !failed)
    .flatMap((charge) => [inflow(charge, random), ...outflow(charge, random)])
  const weeks = Map.groupBy(movements, ({ at }) => Math.floor(at / WEEK))
  const payouts = [...weeks].flatMap(([week, ofWeek]) => {
    const rest = ofWeek.reduce((sum, { amount, fee }) => sum + amount - fee, 0)
    const at = (week + 1) * WEEK
    if (rest <= 0 || at > LAST_EVENT) return []
    const source = `po_1${random.token(23)}`
    return [{ id: `txn_1${random.token(23)}`, type: 'payout' as const, source, at, amount: -rest, fee: 0 }]
  })
  return [...movements, ...payouts].toSorted((a, b) => a.at - b.at)
}

function inflow({ amount, at, id }: Charge, random: Random): BalanceTransaction {
  const fee = Math.round(amount * 0.029) + 30
  return { id: `txn_3${random.token(22)}`, type: 'charge', source: id, at, amount, fee }
}

function outflow({ refund }: Charge, random: Random): readonly BalanceTransaction[] {
  if (!refund) return []
  const { amount, at, id } = refund
  return [{ id: `txn_3${random.token(22)}`, type: 'refund', source: id, at, amount: -amount, fee: 0 }]
}
