import type { Clock, Ids } from '@stagecraft/spec'

export const systemClock: Clock = { now: () => Date.now() }

/**
 * Ids of the time, in nine digits of base 36, and 75 bits of chance: unique without asking anybody. Those of one process
 * sort as they were made, also within a millisecond, so that what was written together is read in its order.
 */
export function timeSortedIds(clock: Clock): Ids {
  let time = 0
  let chance = 0n
  return {
    next: (prefix) => {
      const now = clock.now()
      chance = now > time ? randomBits(75) : chance + randomBits(32) + 1n
      time = Math.max(now, time)
      return `${prefix}_${time.toString(36).padStart(9, '0')}${chance.toString(16).padStart(19, '0')}`
    },
  }
}

function randomBits(count: number): bigint {
  const [high = 0n, low = 0n] = crypto.getRandomValues(new BigUint64Array(2))
  return BigInt.asUintN(count, (high << 64n) | low)
}
