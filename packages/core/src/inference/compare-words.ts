/**
 * Returns true for `emp` and `employee`, or `dept` and `department`: the start of a word, or its first and last
 * letters with some between.
 */
export function isShortFor(short: string, long: string): boolean {
  if (short.length < 3 || short.length >= long.length - 1 || short[0] !== long[0]) return false
  return long.startsWith(short) || (short.at(-1) === long.at(-1) && areLettersOf(short, long))
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
