/**
 * Matches invisible characters and those that change the look of others: control, zero-width, bidirectional, tags,
 * variation selectors and fillers; and lone surrogates, which printing removes, so that their neighbours join.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffd]/gu

/** Returns true if the text holds a character that a reader would not see. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0
}

/** Returns text of a warehouse for a model: visible characters, on one line, at most `most` of them. */
export function cleanText(text: string, most: number): string {
  const plain = text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(plain)
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`
}
