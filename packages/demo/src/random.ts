/** A stream of numbers that is the same for the same seed, on every machine. */
export interface Random {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  /** True in the given share of cases, from 0 to 1. */
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Like `pick`, but prefers items near the front. */
  pickEarly<Item>(items: readonly Item[]): Item
  /** Hexadecimal digits in lower case. */
  hex(length: number): string
  /** Letters and digits. */
  token(length: number): string
  /** A UUID of version 4. */
  uuid(): string
}

const TOKEN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a stream. Streams of different seeds are independent. */
export function createRandom(seed: string): Random {
  const next = createFractions(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  const letters = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet.charAt(below(alphabet.length))).join('')
  const hex = (length: number): string => letters(length, '0123456789abcdef')
  return {
    integer: (min, max) => min + below(max - min + 1),
    chance: (share) => next() < share,
    pick: (items) => itemAt(items, below(items.length)),
    pickEarly: (items) => itemAt(items, Math.floor(next() * next() * items.length)),
    hex,
    token: (length) => letters(length, TOKEN_LETTERS),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-${letters(1, '89ab')}${hex(3)}-${hex(12)}`,
  }
}

/**
 * Creates a stream of numbers from 0 to 1, without 1.
 *
 * Seeded by FNV-1a (datatracker.ietf.org/doc/html/draft-eastlake-fnv), drawn by mulberry32. Both use only
 * 32-bit integers, so the numbers do not depend on how a machine rounds.
 */
function createFractions(seed: string): () => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError('expected at least one item to pick from, got none')
  return item
}
