/** Marks of Arabic, Syriac and Kaithi that are of the class of format characters, and are seen. */
const SEEN = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`

/** The characters that join several into one emoji. */
const JOINED = [
  String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})`,
].join('|')

/**
 * Characters that nobody sees and that change what is seen: those that turn the direction of text, have no width, join or
 * part letters, fill, tag, or break lines only for some readers. By classes of Unicode, so that none is forgotten.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point and https://www.unicode.org/reports/tr36/
 */
const INVISIBLE = String.raw`(?!${SEEN}|${JOINED})[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]`

/** No character of ASCII is one. */
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/

const ANY = new RegExp(INVISIBLE, 'u')
const EACH = new RegExp(INVISIBLE, 'gu')

/** Returns true if a text has invisible characters, other than those that join an emoji. */
export function hasInvisible(text: string): boolean {
  return !ASCII.test(text) && ANY.test(text)
}

/** The text with such characters as YAML, JSON and Python escape them: `\u202e`, `\U000e0001`. */
export function escapeInvisible(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(EACH, escapeCharacter)
}

/** Control characters, by which a text could move the cursor or colour what follows, but tabs and ends of lines. */
const CONTROL = /(?!\t|\n|\r\n)\p{Cc}/gu

/** The text as a terminal may show it: its control characters and invisible characters are escaped. */
export function escapeForTerminal(text: string): string {
  return escapeInvisible(text).replaceAll(CONTROL, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const digits = point.toString(16)
  return point > 0xffff ? String.raw`\U${digits.padStart(8, '0')}` : String.raw`\u${digits.padStart(4, '0')}`
}
