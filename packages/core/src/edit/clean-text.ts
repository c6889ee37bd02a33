/**
 * Characters that are not seen, or that change how others are seen: control, zero-width, bidirectional, tags,
 * variation selectors and fillers; and halves of characters, which printing takes away, joining what they part.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800\ufff9-\ufffd]/gu

/** Returns true if the text holds a character that a reader would not see. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0
}

/** Text of a warehouse as a model gets it: what can be seen, on one line, and no more than `most` characters. */
export function cleanText(text: string, most: number): string {
  const plain = text.replaceAll(INVISIBLE, ' ').replaceAll(/\s+/g, ' ').trim()
  const characters = Array.from(plain)
  return characters.length <= most ? plain : `${characters.slice(0, most - 1).join('')}…`
}
