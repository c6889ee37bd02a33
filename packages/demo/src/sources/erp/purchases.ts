import type { Company } from '../../company/company.ts'
import type { Variant } from '../../company/products.ts'
import { numbersTo } from '../../numbers-to.ts'
import type { Random } from '../../random.ts'
import { DAY, HOUR, ifPast, LAST_EVENT, MINUTE, OPENED } from '../../time.ts'
import { mainSupplier, SUPPLIERS } from './items.ts'

/** An order that the company placed with a supplier. */
export interface Purchase {
  /** `PO-2025-0042` */
  readonly number: string
  readonly supplier: number
  readonly buyer: number
  readonly orderedAt: number
  readonly isCancelled: boolean
  readonly lines: readonly PurchaseLine[]
}

interface PurchaseLine {
  /** 1, 2, 3 … in its order. */
  readonly number: number
  readonly variant: Variant
  readonly quantity: number
  readonly dueAt: number
  /** Undefined until it arrives. */
  readonly receipt: Receipt | undefined
}

interface Receipt {
  readonly id: string
  readonly at: number
  readonly condition: 'ok' | 'damaged' | "supplier's error"
}

const PURCHASES = 230

export function createPurchases({ variants }: Company, random: Random): readonly Purchase[] {
  const offers = Map.groupBy(
    variants.filter(({ ships }) => ships),
    mainSupplier,
  )
  const suppliers = numbersTo(SUPPLIERS).filter((id) => offers.has(id))
  const minutes = Math.floor((LAST_EVENT - DAY - OPENED) / MINUTE)
  return numbersTo(PURCHASES)
    .map(() => OPENED + random.integer(0, minutes) * MINUTE)
    .toSorted((a, b) => a - b)
    .map((orderedAt, index) => {
      const supplier = random.pick(suppliers)
      const isCancelled = random.chance(0.04)
      const wanted = (offers.get(supplier) ?? []).filter(() => random.chance(0.6))
      return {
        number: `PO-${new Date(orderedAt).getUTCFullYear()}-${String(index + 1).padStart(4, '0')}`,
        supplier,
        buyer: random.integer(2, 11),
        orderedAt,
        isCancelled,
        lines: wanted.map((variant, line) =>
          purchaseLine(variant, { number: line + 1, orderedAt, isCancelled }, random),
        ),
      }
    })
}

function purchaseLine(
  variant: Variant,
  line: { readonly number: number; readonly orderedAt: number; readonly isCancelled: boolean },
  random: Random,
): PurchaseLine {
  const dueAt = line.orderedAt + random.integer(10, 60) * DAY
  const at = ifPast(dueAt + random.integer(-72, 96) * HOUR)
  const condition = random.pick(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'damaged', "supplier's error"] as const)
  const id = random.uuid()
  return {
    number: line.number,
    variant,
    quantity: random.pick([6, 12, 12, 24, 48]),
    dueAt,
    receipt: line.isCancelled || at === undefined ? undefined : { id, at, condition },
  }
}
