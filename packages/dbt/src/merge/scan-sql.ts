import type { Dialect } from '@stagecraft/dialects'

/** The kind of a token in a dbt model. `mark` is any single character that is nothing else. */
type TokenKind =
  | 'jinja-comment'
  | 'jinja-block'
  | 'jinja'
  | 'comment'
  | 'string'
  | 'name'
  | 'word'
  | 'blank'
  | 'mark'

/** A piece of SQL with Jinja. The texts of all tokens, joined, are the text that was scanned. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  /** UTF-16 index of the first character. */
  readonly start: number
  /** UTF-16 index behind the last character. */
  readonly end: number
}

/** The spelling of strings, names and comments. */
export type SqlSyntax = Pick<Dialect, 'identifiers' | 'lexing'>

/** Splits the SQL of a dbt model into tokens. Never fails: what does not close is a `mark`. */
export function scanSql(text: string, syntax: SqlSyntax): readonly Token[] {
  const pattern = tokenPattern(syntax)
  const tokens: Token[] = []
  for (let start = 0; start < text.length;) {
    const token = readToken(text, start, { pattern, nested: syntax.lexing.comments.nested })
    tokens.push(token)
    start = token.end
  }
  return tokens
}

interface Reading {
  readonly pattern: RegExp
  readonly nested: boolean
}

function readToken(text: string, start: number, { nested, pattern }: Reading): Token {
  if (nested && text.startsWith('/*', start)) {
    const end = nestedCommentEnd(text, start)
    if (end !== undefined) return { kind: 'comment', text: text.slice(start, end), start, end }
  }
  pattern.lastIndex = start
  const groups = pattern.exec(text)?.groups ?? {}
  const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [
    'mark',
    text[start],
  ]
  const piece = found ?? ''
  return { kind: KINDS[kind] ?? 'mark', text: piece, start, end: start + piece.length }
}

/** Groups of the pattern, by name. */
const KINDS: Readonly<Record<string, TokenKind>> = {
  jinjaComment: 'jinja-comment',
  jinjaBlock: 'jinja-block',
  jinja: 'jinja',
  comment: 'comment',
  string: 'string',
  name: 'name',
  word: 'word',
  blank: 'blank',
}

const JINJA_STRING = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'`

/** Alternatives in the order in which they are tried. Strings inside of Jinja may hold its closing braces. */
function tokenPattern(syntax: SqlSyntax): RegExp {
  const alternatives = [
    String.raw`(?<jinjaComment>\{#[^]*?#\})`,
    String.raw`(?<jinjaBlock>\{%(?:${JINJA_STRING}|[^])*?%\})`,
    String.raw`(?<jinja>\{\{(?:${JINJA_STRING}|[^])*?\}\})`,
    `(?<comment>${commentPattern(syntax)})`,
    `(?<string>${stringPattern(syntax)})`,
    `(?<name>${namePattern(syntax)})`,
    String.raw`(?<word>[\p{L}\p{N}_$@]+)`,
    String.raw`(?<blank>\s+)`,
  ]
  return new RegExp(alternatives.join('|'), 'uy')
}

function commentPattern({ lexing: { comments } }: SqlSyntax): string {
  const openings = ['--', ...comments.alsoLine]
  return String.raw`(?:${openings.join('|')})[^\n\r]*|/\*[^]*?\*/`
}

function stringPattern({ lexing }: SqlSyntax): string {
  const single = '\\' in lexing.textEscapes ? String.raw`'(?:\\[^]|''|[^'\\])*'` : String.raw`'(?:''|[^'])*'`
  const dollar = String.raw`\$(?:[A-Za-z_]\w*)?\$[^]*?\$(?:[A-Za-z_]\w*)?\$`
  const escaped = String.raw`[eE]'(?:\\[^]|''|[^'\\])*'`
  const double = lexing.doubleQuoted === 'text' ? [String.raw`"(?:\\[^]|[^"\\])*"`] : []
  const triple = lexing.tripleQuotes ? ["'''[^]*?'''", '"""[^]*?"""'] : []
  return [...triple, escaped, single, ...double, dollar].join('|')
}

function namePattern({ lexing }: SqlSyntax): string {
  const double = lexing.doubleQuoted === 'text' ? [] : ['"(?:""|[^"])*"']
  const brackets = lexing.brackets === 'name' ? [String.raw`\[(?:\]\]|[^\]])*\]`] : []
  return [...double, '`(?:``|[^`])*`', ...brackets].join('|')
}

function nestedCommentEnd(text: string, start: number): number | undefined {
  let depth = 0
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return start + index + 2
  }
  return undefined
}

/** Tells whether a token says something to the warehouse or to dbt: not blank, not a comment. */
export function isCode({ kind }: Token): boolean {
  return kind !== 'blank' && kind !== 'comment' && kind !== 'jinja-comment'
}
