/** Returns the words of a text, which blanks and line ends separate. */
export function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
