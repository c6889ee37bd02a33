import { outputName } from './output-name.ts'
import { isCode, scanSql, type SqlSyntax, type Token } from './scan-sql.ts'

/** An entry of a select list: one output column, as a rule. */
export interface SelectItem {
  /** The name of the output column, in its form for comparison; undefined if the text does not show it. */
  readonly name: string | undefined
  /** The expression with its alias, without the comments around it. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Tokens from `start` to `end`, comments between them too. */
  readonly tokens: readonly Token[]
  /** Comments that stand on lines of their own above it. */
  readonly leads: readonly Token[]
  /** The offset of the comma after it; undefined if there is none. */
  readonly comma: number | undefined
}

/** The list between `select` and `from`. */
export interface SelectList {
  /** The common table expression whose body starts with it; undefined for other selects. */
  readonly cte: string | undefined
  /** Index after `select` and `distinct`. */
  readonly start: number
  /** Index after the last token that is not blank. */
  readonly end: number
  /** Empty if the list contains `{% %}`, because its items are only known after rendering. */
  readonly items: readonly SelectItem[]
  /** True for `select distinct`, except `distinct on (…)`. */
  readonly isDistinct: boolean
  /** The depth of parentheses around it: 0 for the last select of a model. */
  readonly depth: number
  /** The code before `select`, nearest last: at most the words of a set operation. */
  readonly before: readonly Token[]
  /** The code after the list, to the end of the select: `from`, what it names, and all that follows. */
  readonly rest: readonly Token[]
}

/** Finds every select list of a model, in the order of their `select`. */
export function findSelectLists(text: string, syntax: SqlSyntax): readonly SelectList[] {
  const tokens = scanSql(text, syntax)
  let depth = 0
  return tokens.flatMap((token, index) => {
    depth += depthOf(token)
    return isWord(token, 'select') ? { ...readList(tokens, index, syntax), depth } : []
  })
}

function readList(tokens: readonly Token[], select: number, syntax: SqlSyntax): Omit<SelectList, 'depth'> {
  const first = afterModifiers(tokens, select + 1)
  const parts = splitList(tokens, first)
  const inner = parts.flatMap(({ tokens: own }) => own)
  const opaque = inner.some(({ kind }) => kind === 'jinja-block')
  const last = inner.at(-1)
  const behind = last ? tokens.indexOf(last, first) + 1 : first
  const before = tokens.slice(0, select).filter(isCode).slice(-6)
  return {
    cte: cteOf(before),
    before,
    rest: restOf(tokens.slice(behind)),
    isDistinct: isDistinct(tokens.slice(select + 1, first).filter(isCode)),
    start: tokens[first - 1]?.end ?? 0,
    end: inner.findLast(({ kind }) => kind !== 'blank')?.end ?? tokens[first - 1]?.end ?? 0,
    items: opaque ? [] : parts.flatMap((part, index) => readItem(part, { before: parts[index - 1], syntax })),
  }
}

function isDistinct(modifiers: readonly Token[]): boolean {
  const at = modifiers.findIndex((token) => isWord(token, 'distinct'))
  const next = modifiers[at + 1]
  return at >= 0 && !(next && isWord(next, 'on'))
}

/** The code up to the parenthesis that closes the select, or to its end. */
function restOf(tokens: readonly Token[]): readonly Token[] {
  let depth = 0
  const end = tokens.findIndex((token) => {
    depth += depthOf(token)
    return depth < 0 || token.text === ';'
  })
  return tokens.slice(0, end < 0 ? undefined : end).filter(isCode)
}

/** The tokens between two commas. */
interface Part {
  readonly tokens: readonly Token[]
  readonly comma: number | undefined
}

const CLOSING = new Set([
  'from',
  'union',
  'intersect',
  'except',
  'minus',
  'where',
  'limit',
  'into',
  'group',
  'qualify',
  'having',
  'order',
])

function splitList(tokens: readonly Token[], first: number): readonly Part[] {
  const parts: Part[] = []
  let own: Token[] = []
  let depth = 0
  for (const token of tokens.slice(first)) {
    if (depth === 0 && endsList(token, own)) break
    depth += depthOf(token)
    if (depth === 0 && token.text === ',') {
      parts.push({ tokens: own, comma: token.start })
      own = []
    } else own.push(token)
  }
  return [...parts, { tokens: own, comma: undefined }]
}

function endsList(token: Token, own: readonly Token[]): boolean {
  if (token.text === ')' || token.text === ';') return true
  if (token.kind !== 'word' || !CLOSING.has(token.text.toLowerCase())) return false
  const before = own.findLast(isCode)
  // `* except (a)` of BigQuery and DuckDB, and `s.order`
  return before?.text !== '.' && !(before?.text === '*' && isWord(token, 'except'))
}

/** Returns what a token adds to the depth of parentheses and brackets. */
export function depthOf({ kind, text }: Token): number {
  if (kind !== 'mark') return 0
  if (text === '(' || text === '[' || text === '{') return 1
  return text === ')' || text === ']' || text === '}' ? -1 : 0
}

interface ItemContext {
  readonly before: Part | undefined
  readonly syntax: SqlSyntax
}

function readItem({ comma, tokens }: Part, { before, syntax }: ItemContext): readonly SelectItem[] {
  const from = tokens.findIndex(isCode)
  if (from < 0) return [] // behind a comma at the end of the list
  const own = tokens.slice(from, tokens.findLastIndex(isCode) + 1)
  const [start, end] = [own[0]?.start ?? 0, own.at(-1)?.end ?? 0]
  const above = leadingComma(tokens, before)
    ? (before?.tokens ?? []).slice(lastCode(before))
    : tokens.slice(0, from)
  return [
    {
      name: outputName(own.filter(isCode), syntax),
      text: own.map(({ text }) => text).join(''),
      start,
      end,
      tokens: own,
      leads: ownLineComments(above),
      comma,
    },
  ]
}

/** Returns true if the comma before an item stands on the item's line and at its beginning. */
function leadingComma(tokens: readonly Token[], before: Part | undefined): boolean {
  const next = tokens.slice(0, tokens.findIndex(isCode))
  return before !== undefined && !next.some(hasBreak) && before.tokens.slice(lastCode(before)).some(hasBreak)
}

function lastCode(part: Part | undefined): number {
  return (part?.tokens.findLastIndex(isCode) ?? -1) + 1
}

function hasBreak({ kind, text }: Token): boolean {
  return (kind === 'blank' || kind === 'comment') && text.includes('\n')
}

/** Returns comments after a line break; a comment after code belongs to that code. */
function ownLineComments(tokens: readonly Token[]): readonly Token[] {
  const firstBreak = tokens.findIndex(hasBreak)
  if (firstBreak < 0) return []
  return tokens.slice(firstBreak).filter(({ kind }) => kind === 'comment' || kind === 'jinja-comment')
}

/** Returns the index after `distinct`, `all`, `top 10` and `distinct on (…)`. */
function afterModifiers(tokens: readonly Token[], first: number): number {
  const next = tokens.findIndex((token, index) => index >= first && isCode(token))
  const word = tokens[next]
  if (next < 0 || word === undefined) return first
  if (isWord(word, 'distinct') || isWord(word, 'all')) return afterModifiers(tokens, next + 1)
  if (isWord(word, 'on') && tokens.slice(0, next).findLast(isCode)?.text.toLowerCase() === 'distinct')
    return afterArgument(tokens, next + 1)
  return isWord(word, 'top') ? afterArgument(tokens, next + 1) : first
}

/** Returns the index after one word, or behind a pair of parentheses. */
function afterArgument(tokens: readonly Token[], first: number): number {
  let depth = 0
  for (let index = first; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    depth += depthOf(token)
    if (isCode(token) && depth === 0) return index + 1
  }
  return first
}

/** The name in `name as (`, or `name as materialized (`, when that is what stands before. */
function cteOf(before: readonly Token[]): string | undefined {
  const words = before.map(({ text }) => text.toLowerCase())
  const as = words.lastIndexOf('as')
  if (
    words.at(-1) !== '(' ||
    as < 1 ||
    !words.slice(as + 1, -1).every((word) => /^(?:not|materialized)$/.test(word))
  )
    return undefined
  return words[as - 1]?.replace(/^["`[]|["`\]]$/g, '')
}

export function isWord({ kind, text }: Token, word: string): boolean {
  return kind === 'word' && text.toLowerCase() === word
}
