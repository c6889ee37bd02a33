/** The source of time; a fixed one makes output repeatable. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** The source of identifiers. */
export interface Ids {
  /** A fresh identifier with the given prefix: `next('req')` is `req_01k…`. Sorts by creation time. */
  next(prefix: IdPrefix): string
}

/** The prefix of an identifier, which tells its kind. */
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
 * Creates ids of the time, in nine digits of base 36, and 75 random bits: unique without asking anybody. Those of one process
 * sort as they were made, also within a millisecond, so that what was written together is read in its order.
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
