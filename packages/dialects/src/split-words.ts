/** Returns the words of a text, which are separated by whitespace. */
export function splitWords(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
