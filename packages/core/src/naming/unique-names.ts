import { shorten } from './shorten.ts'

/** Something that wants one of several names, best first. */
export interface Claim {
  readonly candidates: readonly string[]
  /** Claims of lower rank choose first; equal ranks choose in the order given. */
  readonly rank: number
}

export interface Claimed {
  readonly name: string
  /** All candidates were taken, so that the name got a number. */
  readonly numbered: boolean
}

/**
 * Gives every claim a name of its own, without regard to case and no longer than `limit` characters. A
 * claim whose candidates are all taken gets the first one with a number that nobody wants.
 */
export function claimNames(claims: readonly Claim[], limit: number): readonly Claimed[] {
  const best = claims.map(({ candidates }) => candidates[0] ?? '')
  const isEachFree = new Set(best.map((name) => name.toLowerCase())).size === best.length
  return isEachFree && !best.includes('')
    ? best.map((name) => ({ name, numbered: false }))
    : giveInOrder(claims, limit)
}

function giveInOrder(claims: readonly Claim[], limit: number): readonly Claimed[] {
  const taken = new Set<string>()
  const wanted = new Set(claims.flatMap((claim) => claim.candidates.map((name) => name.toLowerCase())))
  const results: Claimed[] = []
  const order = [...claims.keys()].toSorted((a, b) => rankOf(claims, a) - rankOf(claims, b) || a - b)
  for (const index of order) {
    const { candidates } = claims[index] ?? { candidates: [] }
    const free = candidates.find((name) => !taken.has(name.toLowerCase()))
    const name =
      free ?? withNumber(candidates[0] ?? '', limit, (other) => taken.has(other) || wanted.has(other))
    taken.add(name.toLowerCase())
    results[index] = { name, numbered: free === undefined }
  }
  return results
}

function rankOf(claims: readonly Claim[], index: number): number {
  return claims[index]?.rank ?? 0
}

function withNumber(name: string, limit: number, isTaken: (lower: string) => boolean): string {
  for (let number = 2; ; number++) {
    const numbered = `${name}_${number}`
    const fitting = numbered.length > limit ? shorten(numbered, limit) : numbered
    if (!isTaken(fitting.toLowerCase())) return fitting
  }
}
