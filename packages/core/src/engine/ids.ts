import type { Clock, Ids } from '@stagecraft/spec'

export const systemClock: Clock = { now: () => Date.now() }

/** Digits that sort as they count, without letters that are taken for digits (Crockford's base 32). */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/** Identifiers of 10 characters of time and 16 of chance: unique without asking anybody, sorted by time. */
export function randomIds(clock: Clock): Ids {
  return {
    next: (prefix) => {
      const chance = crypto.getRandomValues(new Uint8Array(16))
      return `${prefix}_${encodeTime(clock.now())}${[...chance].map((byte) => DIGITS[byte % 32]).join('')}`
    },
  }
}

function encodeTime(milliseconds: number): string {
  let rest = milliseconds
  let text = ''
  for (let place = 0; place < 10; place++) {
    text = (DIGITS[rest % 32] ?? '') + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** A fresh request id, for answers that no engine made. */
export function createRequestId(): string {
  return randomIds(systemClock).next('req')
}
