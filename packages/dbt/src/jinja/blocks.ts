/** A piece of a template. */
export interface Block {
  /** `{{ … }}`, `{% … %}` or the text between them, without comments. */
  readonly kind: 'text' | 'expression' | 'statement'
  /** The content, without the braces. */
  readonly source: string
  /** The offset of `source` in the text. */
  readonly offset: number
}

/** The braces of each kind and their content; braces in strings close nothing. */
const OPENINGS = /\{\{|\{%|\{#/g
const CLOSINGS = {
  '{{': /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\}\}/gs,
  '{%': /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|%\}/gs,
} as const

/**
 * Splits a dbt template into blocks. Nothing is run. Jinja in SQL comments counts, because dbt renders it; everything
 * between `{% raw %}` and `{% endraw %}` is text.
 */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let at = 0
  while (at < text.length) {
    OPENINGS.lastIndex = at
    const opening = OPENINGS.exec(text)
    const start = opening?.index ?? text.length
    if (start > at) blocks.push({ kind: 'text', source: text.slice(at, start), offset: at })
    if (!opening) break
    const end = endOf(text, opening[0], start + 2)
    if (opening[0] !== '{#') blocks.push(block(text, opening[0], { start: start + 2, end: end - 2 }))
    at = end
    if (opening[0] === '{%' && /^-?\s*raw\b/.test(text.slice(start + 2, end))) at = pushRaw(text, blocks, end)
  }
  return blocks
}

function block(
  text: string,
  opening: string,
  { end, start }: { readonly start: number; readonly end: number },
): Block {
  return {
    kind: opening === '{{' ? 'expression' : 'statement',
    source: text.slice(start, end),
    offset: start,
  }
}

/** Returns the offset after the closing brace, or the end of the text without one. */
function endOf(text: string, opening: string, from: number): number {
  if (opening === '{#') {
    const found = text.indexOf('#}', from)
    return found === -1 ? text.length + 2 : found + 2
  }
  const closing = opening === '{{' ? CLOSINGS['{{'] : CLOSINGS['{%']
  closing.lastIndex = from
  for (let match = closing.exec(text); match; match = closing.exec(text))
    if (match[0].endsWith('}') && match[0].length === 2) return match.index + 2
  return text.length + 2
}

function pushRaw(text: string, blocks: Block[], from: number): number {
  const found = /\{%-?\s*endraw\s*-?%\}/.exec(text.slice(from))
  const end = found ? from + found.index : text.length
  blocks.push({ kind: 'text', source: text.slice(from, end), offset: from })
  return end + (found?.[0].length ?? 0)
}
