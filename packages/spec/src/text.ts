/** Orders texts by code unit, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Visible marks of Arabic, Syriac and Kaithi that Unicode classifies as format characters. */
const SEEN = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`

/** Characters that join several others into one emoji. */
const JOINED = [
  String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})`,
].join('|')

/**
 * Invisible characters that change the displayed text: they change its direction, have no width, join or separate
 * letters, fill, tag, or break lines only in some programs. Defined by Unicode classes, so that none is missing.
 * https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point and https://www.unicode.org/reports/tr36/
 */
const INVISIBLE = String.raw`(?!${SEEN}|${JOINED})[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}]`

/** ASCII has no invisible characters. */
// oxlint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\0-\x7f]*$/

const ANY = new RegExp(INVISIBLE, 'u')
const EACH = new RegExp(INVISIBLE, 'gu')

/** Returns true if a text has invisible characters, other than those that join an emoji. */
export function hasInvisible(text: string): boolean {
  return !ASCII.test(text) && ANY.test(text)
}

/** Escapes such characters as in YAML, JSON and Python: `\u202e`, `\U000e0001`. */
export function escapeInvisible(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(EACH, escapeCharacter)
}

/** Control characters except tabs and line ends. In a terminal they could move the cursor or change colours. */
const CONTROL = /(?!\t|\n|\r\n)\p{Cc}/gu

/** The most characters of a given text that a message repeats. */
const SHOWN = 100

/** Shortens a long text for a message, which repeats its start. */
export function shorten(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text
}

/** Escapes control and invisible characters of a text for a terminal. */
export function escapeForTerminal(text: string): string {
  return escapeInvisible(text).replaceAll(CONTROL, escapeCharacter)
}

function escapeCharacter(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const digits = point.toString(16)
  return point > 0xffff ? String.raw`\U${digits.padStart(8, '0')}` : String.raw`\u${digits.padStart(4, '0')}`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for elements and for quoted attributes. Names and SQL are untrusted. */
export function escapeHtml(text: string): string {
  return escapeInvisible(text.toWellFormed())
    .replaceAll(/(?![\t\n])\p{Cc}/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
