/** A source of time. A fixed one makes output repeatable. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** A source of identifiers. */
export interface Ids {
  /** Returns a new identifier with the given prefix: `next('req')` is `req_01k…`. Identifiers sort by creation time. */
  next(prefix: IdPrefix): string
}

/** The prefix of an identifier, which shows its kind. */
export type IdPrefix =
  | 'req'
  | 'proj'
  | 'key'
  | 'ses'
  | 'aud'
  | 'conn'
  | 'scan'
  | 'unit'
  | 'gen'
  | 'push'
  | 'anl'
  | 'conv'
  | 'msg'
  | 'evt'
  | 'whk'
  | 'dlv'
  | 'prop'

/**
 * Creates ids from the time, in nine digits of base 36, and 75 random bits, which are unique without
 * coordination. Ids of one process sort in creation order, even within a millisecond, so rows that are
 * written together keep their order.
 */
export function timeSortedIds(clock: Clock): Ids {
  let time = 0
  let random = 0n
  return {
    next: (prefix) => {
      const now = clock.now()
      random = now > time ? randomBits(75) : random + randomBits(32) + 1n
      time = Math.max(now, time)
      return `${prefix}_${time.toString(36).padStart(9, '0')}${random.toString(16).padStart(19, '0')}`
    },
  }
}

function randomBits(count: number): bigint {
  const [high = 0n, low = 0n] = crypto.getRandomValues(new BigUint64Array(2))
  return BigInt.asUintN(count, (high << 64n) | low)
}
