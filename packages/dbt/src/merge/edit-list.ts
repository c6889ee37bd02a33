import { beginsLine, lineEnd, lineStart, type ListStyle } from './list-style.ts'
import type { SelectItem, SelectList } from './select-list.ts'

/** Replaces a part of a text. */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start || b.end - a.end)
    .reduce((edited, { end, start, text: piece }) => edited.slice(0, start) + piece + edited.slice(end), text)
}

/** A list with its text and style. */
export interface Listed {
  readonly text: string
  readonly list: SelectList
  readonly style: ListStyle
}

export interface Added {
  /** The text of the new item. */
  readonly item: string
  /** Comments above it, on lines of their own. */
  readonly leads: readonly string[]
}

/** Writes an item after another one. */
export function addAfter(
  neighbour: SelectItem,
  added: Added,
  { list, style, text }: Listed,
): readonly TextEdit[] {
  const next = list.items[list.items.indexOf(neighbour) + 1]
  const insert = (start: number, piece: string): TextEdit => ({ start, end: start, text: piece })
  if (style.inline) return [insert(neighbour.end, `, ${added.item}`)]
  const lines = linesOf(added, style)
  if (style.leading) {
    const free = endOfOwnLine(text, neighbour.end)
    return [insert(free ?? neighbour.end, lines(`,${style.gap}${added.item}`))]
  }
  const { comma } = neighbour
  if (comma === undefined) {
    const free = endOfOwnLine(text, neighbour.end)
    if (free === undefined) return [insert(neighbour.end, `,${lines(added.item)}`)]
    if (free === neighbour.end) return [insert(free, `,${lines(added.item)}`)]
    return [insert(neighbour.end, ','), insert(free, lines(added.item))]
  }
  const end = endOfOwnLine(text, comma + 1)
  if (end === undefined && next) return [insert(comma + 1, ` ${added.item},`)]
  return [insert(end ?? comma + 1, lines(`${added.item},`))]
}

/** Writes an item before another one. */
export function addBefore(
  neighbour: SelectItem,
  added: Added,
  { list, style, text }: Listed,
): readonly TextEdit[] {
  const insert = (start: number, piece: string): readonly TextEdit[] => [{ start, end: start, text: piece }]
  if (style.inline) return insert(neighbour.start, `${added.item}, `)
  const leads = added.leads.map((lead) => `${lead}${style.newline}${style.indent}`).join('')
  const { comma } = list.items[list.items.indexOf(neighbour) - 1] ?? {}
  if (!style.leading) return insert(neighbour.start, `${leads}${added.item},${style.newline}${style.indent}`)
  if (comma === undefined)
    return insert(neighbour.start, `${leads}${added.item}${style.newline}${style.indent},${style.gap}`)
  return beginsLine(text, comma)
    ? insert(comma, `${leads},${style.gap}${added.item}${style.newline}${style.indent}`)
    : insert(neighbour.start, `${added.item}, `)
}

function linesOf({ leads }: Added, { indent, newline }: ListStyle): (item: string) => string {
  const above = leads.map((lead) => `${newline}${indent}${lead}`).join('')
  return (item) => `${above && newline}${above}${newline}${indent}${item}`
}

/** Returns the end of the line if only blanks and comments come before it; undefined otherwise. */
function endOfOwnLine(text: string, index: number): number | undefined {
  const end = lineEnd(text, index)
  const rest = text.slice(index, end)
  return /^\s*(?:$|--|#|\/\/|\/\*.*\*\/\s*$|\{#.*#\}\s*$)/.test(rest) ? end : undefined
}

/** Removes an item and its comma. Comments above, between and after them stay. */
export function removeItem(item: SelectItem, { list, style, text }: Listed): readonly TextEdit[] {
  const index = list.items.indexOf(item)
  const [before, next] = [list.items[index - 1], list.items[index + 1]]
  if (style.leading && before?.comma !== undefined) return cutBoth(text, before.comma, item)
  if (item.comma !== undefined && next && style.leading) {
    // the next item takes the place of the first one
    const gap = text.slice(item.comma + 1).search(/\S/)
    return [cutLines(text, item.start, item.end), cut(item.comma, item.comma + 1 + gap)]
  }
  if (item.comma !== undefined) return cutBoth(text, item.comma, item)
  return before?.comma === undefined ? [] : cutBoth(text, before.comma, item)
}

/** Cuts an item and a comma, in one piece if only blanks are between them. */
function cutBoth(text: string, comma: number, { end, start }: SelectItem): readonly TextEdit[] {
  const isBehind = comma >= end
  const between = isBehind ? text.slice(end, comma) : text.slice(comma + 1, start)
  const isOnLine = !between.includes('\n') && between.trim() === ''
  if (isOnLine) return [isBehind ? cutLines(text, start, comma + 1) : cutLines(text, comma, end)]
  return [cut(comma, comma + 1), cutLines(text, start, end)]
}

function cut(start: number, end: number): TextEdit {
  return { start, end, text: '' }
}

/** Cuts whole lines if nothing else is on them; otherwise the text and the blanks after it. */
function cutLines(text: string, start: number, end: number): TextEdit {
  const free = text.slice(end, lineEnd(text, end)).trim() === ''
  if (free && beginsLine(text, start)) {
    const behind = text.indexOf('\n', end)
    return { start: lineStart(text, start), end: behind < 0 ? text.length : behind + 1, text: '' }
  }
  if (free) return { start: start - (/\s*$/.exec(text.slice(0, start))?.[0].length ?? 0), end, text: '' }
  const blanks = /\s/.test(text[start - 1] ?? ' ') ? (/^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0) : 0
  return { start, end: end + blanks, text: '' }
}
