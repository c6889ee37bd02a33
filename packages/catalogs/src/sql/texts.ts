const NAMED: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a', // MySQL
}

/** Matches an escape: a backslash and a code point in hexadecimal, an octal byte, or one character. */
const ESCAPE = /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|([0-7]{3})|([^]))/g

/**
 * Resolves the backslash escapes of C, PostgreSQL's `E'…'`, MySQL, BigQuery and Spark. A backslash before any
 * other character means that character, except that MySQL's `\%` and `\_` keep it.
 */
export function resolveEscapes(text: string): string {
  return text.replace(ESCAPE, (whole, ...groups: readonly (string | undefined)[]) => {
    const [short, four, eight, octal, character = ''] = groups
    const hexadecimal = short ?? four ?? eight
    if (hexadecimal !== undefined) return codePoint(Number.parseInt(hexadecimal, 16), whole)
    if (octal !== undefined) return codePoint(Number.parseInt(octal, 8), whole)
    if (character === '%' || character === '_') return whole
    return NAMED[character] ?? character
  })
}

function codePoint(code: number, whole: string): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** Quotes text as a literal of standard SQL, in which only the quote has to be escaped. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
