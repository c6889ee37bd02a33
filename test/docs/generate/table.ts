/** Prints a table of Markdown. oxfmt aligns its columns. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`,
  )
  return lines.join('\n')
}

/** Ends a text like a sentence. */
export function sentence(text: string): string {
  const isName = /^(?:dbt\b|\w*_)/.test(text)
  const upper = isName ? text : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return upper === '' || /[.:!?]$/.test(upper) ? upper : `${upper}.`
}
