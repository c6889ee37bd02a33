import type { Clock, Ids } from '@stagecraft/spec'

export const systemClock: Clock = { now: () => Date.now() }

/** Ids of the time, in nine digits of base 36, and 74 bits of chance: sorted by time, unique without asking anybody. */
export function timeSortedIds(clock: Clock): Ids {
  return {
    next: (prefix) => {
      const chance = crypto.randomUUID().replaceAll('-', '').slice(13)
      return `${prefix}_${clock.now().toString(36).padStart(9, '0')}${chance}`
    },
  }
}
