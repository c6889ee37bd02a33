/** Or lines that end in another way. */
const HAS_EMPTY_LINES = /^$|^\n|\n\n|\n$|[\r\u2028\u2029]/

/** Moves every line that is not empty to the right. */
export function indentLines(text: string, width: number): string {
  const start = ' '.repeat(width)
  if (!HAS_EMPTY_LINES.test(text)) return start + text.replaceAll('\n', `\n${start}`)
  return text.replace(/^(?=.)/gm, start)
}
