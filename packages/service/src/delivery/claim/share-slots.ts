/** A request for slots, with its maximum. */
export interface Wish {
  readonly id: string
  readonly wanted: number
}

/** Shares what is free: one for each in turn, until nothing is free or nobody wants more. */
export function shareSlots(wishes: readonly Wish[], free: number): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  let left = free
  let open = wishes.filter(({ wanted }) => wanted > 0)
  while (left > 0 && open.length > 0) {
    for (const { id } of open.slice(0, left)) shares.set(id, (shares.get(id) ?? 0) + 1)
    left -= Math.min(left, open.length)
    open = open.filter(({ id, wanted }) => (shares.get(id) ?? 0) < wanted)
  }
  return shares
}
