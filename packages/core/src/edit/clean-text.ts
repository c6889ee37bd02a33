/** Characters that are not seen, or that change how others are seen: control, zero-width, bidirectional. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- these are what the expression is for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]|[\u{e0000}-\u{e007f}]/gu

/** Whether the text holds a character that a reader would not see. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0
}

/** Text of a warehouse as a model gets it: what can be seen, on one line, and no more than `most` characters. */
export function cleanText(text: string, most: number): string {
  const plain = text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(plain)
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`
}
