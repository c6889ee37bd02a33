/** Returns a hash of seven letters and digits (FNV-1a): small, fast, the same everywhere. Not for secrets. */
export function hash(text: string): string {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193) >>> 0
  }
  return value.toString(36).padStart(7, '0')
}

/**
 * Cuts an ASCII name to `limit` characters. The end is a hash of the whole name, so that two long names
 * that begin alike stay apart.
 */
export function shorten(name: string, limit: number): string {
  const tail = hash(name)
  return `${name.slice(0, limit - tail.length - 1).replace(/_+$/, '')}_${tail}`
}

/** An item with its candidate names, best first. */
export interface Claim {
  readonly candidates: readonly string[]
  /** Claims of lower rank choose first; equal ranks choose in the order given. */
  readonly rank: number
}

export interface ClaimedNames {
  /** One per claim. */
  readonly names: readonly string[]
  /** The claims whose candidates were all taken, so that their name got a number. */
  readonly numbered: ReadonlySet<number>
}

const NONE: ReadonlySet<number> = new Set()

/**
 * Gives every claim a unique name, ignoring case, of at most `limit` characters. If all candidates of a claim are
 * taken, it gets the first one with a free number.
 */
export function claimNames(claims: readonly Claim[], limit: number): ClaimedNames {
  const best = claims.map(({ candidates }) => candidates[0] ?? '')
  const isEachFree = new Set(best.map((name) => name.toLowerCase())).size === best.length
  return isEachFree && !best.includes('') ? { names: best, numbered: NONE } : giveInOrder(claims, limit)
}

function giveInOrder(claims: readonly Claim[], limit: number): ClaimedNames {
  const taken = new Set<string>()
  const wanted = new Set(claims.flatMap((claim) => claim.candidates.map((name) => name.toLowerCase())))
  const names: string[] = []
  const numbered = new Set<number>()
  const order = [...claims.keys()].toSorted((a, b) => rankOf(claims, a) - rankOf(claims, b) || a - b)
  for (const index of order) {
    const { candidates } = claims[index] ?? { candidates: [] }
    const free = candidates.find((name) => !taken.has(name.toLowerCase()))
    const name =
      free ?? withNumber(candidates[0] ?? '', limit, (other) => taken.has(other) || wanted.has(other))
    taken.add(name.toLowerCase())
    names[index] = name
    if (free === undefined) numbered.add(index)
  }
  return { names, numbered }
}

/** Returns true if a name is another one with a number added. */
export function isNumbered(name: string, other: string): boolean {
  return name.startsWith(`${other}_`) && /^\d+$/.test(name.slice(other.length + 1))
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
