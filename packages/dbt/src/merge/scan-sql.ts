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
  /** UTF-16 index after the last character. */
  readonly end: number
}

/** The spelling of strings, names and comments. */
export type SqlSyntax = Pick<Dialect, 'identifiers' | 'lexing'>

/** Splits the SQL of a dbt model into tokens. It never fails: an unclosed part is a `mark`. */
export function scanSql(text: string, syntax: SqlSyntax): readonly Token[] {
  const reading: Reading = {
    pattern: tokenPattern(syntax),
    comments: commentEnds(text, syntax.lexing.comments.nested),
    jinja: (start) => jinjaEnd(text, start, lastCloses),
  }
  const lastCloses = new Map(Object.values(CLOSES).map((close) => [close, text.lastIndexOf(close)]))
  const tokens: Token[] = []
  for (let start = 0; start < text.length;) {
    const token = readToken(text, start, reading)
    tokens.push(token)
    start = token.end
  }
  return tokens
}

interface Reading {
  readonly pattern: RegExp
  /** The end of each comment between slashes and stars, by its start. */
  readonly comments: ReadonlyMap<number, number>
  /** Returns the end of the Jinja that starts there; undefined where it does not close. */
  readonly jinja: (start: number) => number | undefined
}

function readToken(text: string, start: number, { comments, jinja, pattern }: Reading): Token {
  const token = (kind: TokenKind, end: number): Token => ({ kind, text: text.slice(start, end), start, end })
  const first = text[start]
  const opening = first === '{' || first === '/' ? text.slice(start, start + 2) : ''
  const kind = opening === '/*' ? 'comment' : JINJA_KINDS[opening]
  if (kind) {
    const end = kind === 'comment' ? comments.get(start) : jinja(start)
    return end === undefined ? token('mark', start + 1) : token(kind, end)
  }
  pattern.lastIndex = start
  const groups = pattern.exec(text)
  if (!groups) return token('mark', start + 1)
  return token(KINDS[groups.indexOf(groups[0], 1) - 1] ?? 'mark', pattern.lastIndex)
}

const JINJA_KINDS: Readonly<Record<string, TokenKind>> = {
  '{#': 'jinja-comment',
  '{%': 'jinja-block',
  '{{': 'jinja',
}

const CLOSES: Readonly<Record<string, string>> = { '{#': '#}', '{%': '%}', '{{': '}}' }

/** Strings inside Jinja may contain closing braces; if nothing else closes it, the first braces do. */
function jinjaEnd(text: string, start: number, lastCloses: ReadonlyMap<string, number>): number | undefined {
  const close = CLOSES[text.slice(start, start + 2)] ?? ''
  const last = lastCloses.get(close) ?? -1
  if (last < start + 2) return undefined
  const first = text.indexOf(close, start + 2)
  if (close === '#}') return first + 2
  for (let at = start + 2; at <= last;) {
    if (text.startsWith(close, at)) return at + 2
    at = quoteEnd(text, at) ?? at + 1
  }
  return first + 2
}

/** The end of the quoted text that starts there; undefined where none does or it does not close. */
function quoteEnd(text: string, start: number): number | undefined {
  const quote = text[start]
  if (quote !== '"' && quote !== "'") return undefined
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at + 1
  }
  return undefined
}

/** Finds where comments end, each from where it starts; nested ones hold others. */
function commentEnds(text: string, nested: boolean): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  let open: number[] = []
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    if (mark === '/*') {
      open.push(index)
    } else if (nested) {
      const start = open.pop()
      if (start !== undefined) ends.set(start, index + 2)
    } else {
      for (const start of open) ends.set(start, index + 2)
      open = []
    }
  }
  return ends
}

/** The kinds of the groups of the pattern. One group at a time has a text, which is the whole one. */
const KINDS: readonly TokenKind[] = ['comment', 'string', 'name', 'word', 'blank']

/** The groups of `KINDS` in the order in which they are tried, for all but Jinja and comments between slashes and stars. */
function tokenPattern(syntax: SqlSyntax): RegExp {
  const alternatives = [
    `(${commentPattern(syntax)})`,
    `(${stringPattern(syntax)})`,
    `(${namePattern(syntax)})`,
    String.raw`([\p{L}\p{N}_$@]+)`,
    String.raw`(\s+)`,
  ]
  return new RegExp(alternatives.join('|'), 'uy')
}

function commentPattern({ lexing: { comments } }: SqlSyntax): string {
  const openings = ['--', ...comments.alsoLine]
  return String.raw`(?:${openings.join('|')})[^\n\r]*`
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

/** Returns true for a token of code: not blank, not a comment. */
export function isCode({ kind }: Token): boolean {
  return kind !== 'blank' && kind !== 'comment' && kind !== 'jinja-comment'
}
