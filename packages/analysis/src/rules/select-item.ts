import { type IndexedModel, isCode, scanSql } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import { bare } from './columns.ts'

type Token = ReturnType<typeof scanSql>[number]

/** A piece of a file, in UTF-16 offsets. */
interface Piece {
  readonly start: number
  readonly end: number
}

/** An item of a select list. */
export interface SelectItem {
  /** Its tokens, without the alias and comments. */
  readonly value: readonly Token[]
  /** From its first token to its last one. */
  readonly place: Piece
  /** The start of the comma before it; undefined for the first item. */
  readonly withComma: Piece | undefined
  /** True if an alias follows its value. */
  readonly isNamed: boolean
}

/** Finds the item of a select list for a column; undefined for a column from a `*` or Jinja, and for unknown syntax. */
export function selectItemOf(
  project: LintProject,
  model: IndexedModel,
  { name, place }: Pick<OutputColumn, 'name' | 'place'>,
): SelectItem | undefined {
  const text = project.files.get(model.path)?.text
  if (text === undefined || place.path !== model.path) return undefined
  const tokens = scanSql(text, project.dialect).filter(isCode)
  const at = tokens.findIndex(({ end, start }) => start <= place.start && place.start < end)
  const last = tokens[at]
  if (!last || !isName(last) || bare(last.text).toLowerCase() !== name.toLowerCase()) return undefined
  if (!isEnd(tokens[at + 1])) return undefined
  const from = beginOf(tokens, at)
  const item = tokens.slice(from + 1, at + 1)
  const [first] = item
  if (!first || item.some(({ kind }) => kind.startsWith('jinja'))) return undefined
  const before = tokens[from]
  const isNamed = item.length > 1 && item.at(-2)?.text !== '.'
  const value = isNamed ? item.slice(0, isWord(item.at(-2), 'as') ? -2 : -1) : item
  return {
    value,
    isNamed,
    place: { start: first.start, end: last.end },
    withComma: before?.text === ',' ? { start: before.start, end: last.end } : undefined,
  }
}

/** Returns the index of the token before an item: a comma, or the word that starts its list. */
function beginOf(tokens: readonly Token[], at: number): number {
  let depth = 0
  for (let index = at; index >= 0; index -= 1) {
    const token = tokens[index]
    if (token?.text === ')') depth += 1
    if (token?.text === '(') depth -= 1
    const isBegin = token?.text === ',' || isWord(token, 'select', 'distinct', 'all')
    if (depth < 0 || (depth === 0 && isBegin)) return index
  }
  return -1
}

function isEnd(token: Token | undefined): boolean {
  return token === undefined || token.text === ',' || token.text === ')' || isWord(token, 'from')
}

function isName({ kind }: Token): boolean {
  return kind === 'word' || kind === 'name'
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase())
}

/** A value that is a column with one cast around it. */
export interface CastItem {
  /** The word `cast`; undefined for `column::type`. */
  readonly word: Piece | undefined
  readonly column: Piece
  readonly type: Piece
  readonly whole: Piece
}

/** Reads `cast(a.b as type)` and `a.b::type`; undefined for any other value. */
export function castOf({ value }: SelectItem): CastItem | undefined {
  const [first, open] = value
  const last = value.at(-1)
  if (!first || !last) return undefined
  const isCall = isWord(first, 'cast') && open?.text === '(' && last.text === ')'
  const from = isCall ? 2 : 0
  const to = endOfName(value, from)
  const column = { start: value[from]?.start ?? 0, end: value[to - 1]?.end ?? 0 }
  const whole = { start: first.start, end: last.end }
  const type = isCall ? value.slice(to + 1, -1) : value.slice(to + 2)
  const isBefore = isCall ? isWord(value[to], 'as') : value[to]?.text === ':' && value[to + 1]?.text === ':'
  if (to === from || !isBefore || !isType(type)) return undefined
  return {
    word: isCall ? { start: first.start, end: first.end } : undefined,
    column,
    type: { start: type[0]?.start ?? 0, end: type.at(-1)?.end ?? 0 },
    whole,
  }
}

/** Returns the index after a dotted name; the same index if there is none. */
function endOfName(tokens: readonly Token[], from: number): number {
  let index = from
  while (isNameAt(tokens, index)) {
    if (tokens[index + 1]?.text !== '.' || !isNameAt(tokens, index + 2)) return index + 1
    index += 2
  }
  return from
}

function isNameAt(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index]
  return token !== undefined && isName(token)
}

/** Matches a type: words, with numbers in parentheses. */
function isType(tokens: readonly Token[]): boolean {
  return tokens.length > 0 && tokens.every(({ kind, text }) => kind === 'word' || /^[(),\d]$/.test(text))
}
