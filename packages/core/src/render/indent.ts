/** Moves every line that is not empty to the right. */
export function indentLines(text: string, width: number): string {
  return width === 0 ? text : text.replace(/^(?=.)/gm, ' '.repeat(width))
}
