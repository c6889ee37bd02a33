import { isCode, scanSql, type SqlSyntax, type Token } from './scan-sql.ts'

/**
 * Tells whether two texts are the same to everybody but a formatter: blanks, line breaks, the case of words, quotes and
 * blanks inside of Jinja, and a comma after the last item of a list do not count. Comments do.
 */
export function sameTokens(a: string, b: string, syntax: SqlSyntax): boolean {
  return a === b || tokenStream(a, syntax) === tokenStream(b, syntax)
}

/** Returns what a text says, in the spelling that formatters agree on. */
export function tokenStream(text: string, syntax: SqlSyntax): string {
  const tokens = scanSql(text, syntax).filter(({ kind }) => kind !== 'blank')
  return tokens
    .filter((token, index) => token.text !== ',' || !endsList(tokens.slice(index + 1).find(isCode)))
    .map((token) => canonicalToken(token, syntax))
    .join('\n')
}

function endsList(next: Token | undefined): boolean {
  return (
    next === undefined || next.text === ')' || (next.kind === 'word' && next.text.toLowerCase() === 'from')
  )
}

/** Words that a formatter may spell in capitals where names tell capitals from small letters. */
const KEYWORDS = new Set(
  'all and as asc between by case cast cross current desc distinct else end except exists extract false final from full group having in inner intersect interval is join lateral left like limit not null nulls on or order outer over partition qualify right row rows select then true union using when where window with'.split(
    ' ',
  ),
)

/** Returns a token in the spelling that formatters agree on. */
export function canonicalToken({ kind, text }: Token, { identifiers }: SqlSyntax): string {
  if (kind === 'word') {
    const lower = text.toLowerCase()
    return identifiers.caseSensitive && !KEYWORDS.has(lower) ? text : lower
  }
  if (kind === 'comment' || kind === 'jinja-comment') return text.replace(/\s+/g, ' ').trim()
  return kind === 'jinja' || kind === 'jinja-block' ? canonicalJinja(text) : text
}

const JINJA_PIECES = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\s*[{}%(),=|~[\]-]\s*|\s+/g

/** Quotes of either kind mean the same to Jinja, and blanks around marks mean nothing. */
function canonicalJinja(text: string): string {
  return text.replace(JINJA_PIECES, (piece) => {
    if (!/^["']/.test(piece)) return piece.trim() || ' '
    const inner = piece.slice(1, -1)
    return /["'\\]/.test(inner) ? piece : `'${inner}'`
  })
}
