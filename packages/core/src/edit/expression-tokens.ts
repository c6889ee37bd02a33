import type { Dialect } from '@stagecraft/dialects'

/** A piece of an expression. `value` is the text without quotes, a word or a sign as written. */
export interface ExpressionToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign'
  readonly value: string
  readonly start: number
  readonly end: number
}

const LONGEST = 500

/** Checked first and everywhere, even inside texts, because dbt or a reader may see them there. */
const NOWHERE: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/[^\P{C}\n]/u, 'an expression may not have control, bidirectional or invisible characters'],
  [/[\p{Zl}\p{Zp}]/u, 'an expression may not have control, bidirectional or invisible characters'],
  [/\{[{%#]|[%#}]\}|\$[({]/, 'an expression may not have Jinja or substitutions'],
]

const FOREIGN_SIGN =
  'an expression may only have names, numbers, texts in single quotes and common operators, with blanks around operators'

/** Excludes letter-like signs that a driver might turn into a quote. */
const TEXT = /^[\x20-\x7e\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Sc}]*$/u

/** All allowed operators; any other run of signs is an unknown operator. */
const SIGNS = new Set(
  ['+ - * / % = <> != < > <= >= || :: ( ) , [ ] .', '-> ->> #> #>> ~ ~* !~ !~* :'].join(' ').split(' '),
)

const PIECES: readonly (readonly [kind: ExpressionToken['kind'], pattern: RegExp])[] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['sign', /[(),.[\]]|[-+*/%=<>!|:~#]+/y],
]

/**
 * Returns the pieces of an expression, or the fault of its text. Quotes are only accepted if all dialects
 * read them alike.
 */
export function readExpressionTokens(
  expression: string,
  dialect: Dialect,
): readonly ExpressionToken[] | string {
  if (expression.length > LONGEST) return `an expression may have ${LONGEST} characters at most`
  const fault = NOWHERE.find(([pattern]) => pattern.test(expression))?.[1]
  if (fault !== undefined) return fault
  const tokens: ExpressionToken[] = []
  for (let at = skipBlanks(expression, 0); at < expression.length;) {
    const token = readToken(expression, at, dialect)
    if (token === undefined || !mayFollow(token, tokens.at(-1))) return FOREIGN_SIGN
    tokens.push(token)
    at = skipBlanks(expression, token.end)
  }
  return tokens.length === 0 ? 'an expression may not be empty' : tokens
}

/** Prints an expression on one line: blanks between pieces become one, texts and names stay unchanged. */
export function onOneLine(expression: string, tokens: readonly ExpressionToken[]): string {
  return tokens
    .map(({ end, start }, index) => {
      const before = tokens[index - 1]
      return (before && before.end < start ? ' ' : '') + expression.slice(start, end)
    })
    .join('')
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n') at += 1
  return at
}

/** A prefix (`E'x'`, `_utf8'x'`), a suffix (`1x`) or a preceding text changes the meaning of a quote. */
function mayFollow(token: ExpressionToken, previous: ExpressionToken | undefined): boolean {
  if (previous === undefined || previous.kind === 'sign' || token.kind === 'sign') return true
  return token.start > previous.end && (token.kind !== 'text' || previous.kind === 'word')
}

function readToken(expression: string, at: number, dialect: Dialect): ExpressionToken | undefined {
  const [open, close] = dialect.identifiers.quotes
  const isRaw = dialect.lexing.rawTexts && /^[rR]'/.test(expression.slice(at, at + 2))
  if (expression[at] === "'" || isRaw) return readText(expression, at, isRaw ? at + 1 : at, dialect)
  if (expression[at] === open && open !== '[') return readName(expression, at, close)
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at
    const value = pattern.exec(expression)?.[0]
    if (value === undefined) continue
    if (kind === 'sign' && !SIGNS.has(value)) return undefined
    return { kind, value, start: at, end: at + value.length }
  }
  return undefined
}

/**
 * A quote inside a text may be doubled if the dialect writes it so; in other dialects, two quotes separate
 * two texts. A backslash may precede anything but a quote, so that the text ends at the same place whether or
 * not a backslash escapes.
 */
function readText(
  expression: string,
  start: number,
  open: number,
  dialect: Dialect,
): ExpressionToken | undefined {
  const doubled = dialect.lexing.textEscapes["'"] === "''" && open === start
  for (let at = open + 1; at < expression.length; at += 1) {
    const next = expression[at + 1]
    if (expression[at] === '\\') {
      if (next === undefined || next === "'") return undefined
      at += 1
    } else if (expression[at] === "'" && next === "'") {
      if (!doubled) return undefined
      at += 1
    } else if (expression[at] === "'") {
      const value = expression.slice(open + 1, at)
      return TEXT.test(value) ? { kind: 'text', value, start, end: at + 1 } : undefined
    }
  }
  return undefined
}

/** A name that contains its own quote is refused: dialects read it differently. */
function readName(expression: string, start: number, close: string): ExpressionToken | undefined {
  const end = expression.indexOf(close, start + 1)
  if (end < 0 || expression[end + 1] === close) return undefined
  return { kind: 'name', value: expression.slice(start + 1, end), start, end: end + 1 }
}
