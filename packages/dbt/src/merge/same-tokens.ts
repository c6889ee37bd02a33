import { isCode, scanSql, type SqlSyntax, type Token } from './scan-sql.ts'

/**
 * Returns true if two texts differ only in formatting: blanks, line breaks, the case of words, quotes and blanks
 * inside Jinja, and a comma after the last item of a list. Comments count as differences.
 */
export function sameTokens(a: string, b: string, syntax: SqlSyntax): boolean {
  return a === b || tokenStream(a, syntax) === tokenStream(b, syntax)
}

/** Returns the tokens of a text in a normal form, independent of formatting. */
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

/** Words whose case a formatter may change even if names are case-sensitive. */
const KEYWORDS = new Set(
  'all and as asc between by case cast cross current desc distinct else end except exists extract false final from full group having in inner intersect interval is join lateral left like limit not null nulls on or order outer over partition qualify right row rows select then true union using when where window with'.split(
    ' ',
  ),
)

/** Returns a token in a normal form, independent of formatting. */
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
