import { ABBREVIATIONS } from '../naming/abbreviations.ts'

/**
 * Returns true for `emp` and `employee`, or `dept` and `department`: the start of a word, or its first and last
 * letters with some between.
 */
export function isShortFor(short: string, long: string): boolean {
  if (short.length < 3 || short.length >= long.length - 1 || short[0] !== long[0]) return false
  return long.startsWith(short) || (short.at(-1) === long.at(-1) && areLettersOf(short, long))
}

/** Returns true if one word stands for the other: `acct` and `account`, `txn` and `transaction`, in either order. */
export function standsFor(a: string, b: string): boolean {
  return isShortFor(a, b) || isShortFor(b, a) || isKnownShort(a, b) || isKnownShort(b, a)
}

function isKnownShort(short: string, long: string): boolean {
  return short.length > 1 && ABBREVIATIONS.get(short)?.includes(long) === true
}

function areLettersOf(short: string, long: string): boolean {
  let from = 0
  return short.split('').every((letter) => {
    from = long.indexOf(letter, from) + 1
    return from > 0
  })
}

export function endsWith(words: readonly string[], tail: readonly string[]): boolean {
  return tail.length > 0 && words.slice(-tail.length).join('') === tail.join('')
}
