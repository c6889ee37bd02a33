import type { Dialect } from '../dialects/dialect.ts'

/** A piece of an expression. `value` is the text without quotes, a word or a sign as written. */
export interface ExpressionToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'sign'
  readonly value: string
  readonly start: number
  readonly end: number
}

const LONGEST = 500

/**
 * Read before anything else and wherever they stand, even in a text, because dbt, a driver or another
 * grammar may see them there: braces open Jinja, variables of Spark and escapes of drivers, a backslash ends a text in some
 * dialects and not in others.
 */
const NOWHERE: readonly (readonly [pattern: RegExp, fault: string])[] = [
  [/[^\P{C}\n]/u, 'an expression may not have control, bidirectional or invisible characters'],
  [/[\p{Zl}\p{Zp}]/u, 'an expression may not have control, bidirectional or invisible characters'],
  [/[{}]|\$\(/, 'an expression may not have Jinja, braces or substitutions'],
  [/--|\/\*|\*\//, 'an expression may not have comments'],
  [/;/, 'an expression may not have a semicolon'],
  [/\\/, 'an expression may not have a backslash'],
]

const FOREIGN_SIGN =
  'an expression may only have names, numbers, texts in single quotes and common operators, with blanks around operators'

/** No letter-like sign that a driver might turn into a quote. */
const TEXT = /^[\x20-\x7e\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Sc}]*$/u

/** All signs that may follow one another; a run that is none of these, as `->`, is another operator. */
const SIGNS = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '=',
  '<>',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  '||',
  '::',
  '(',
  ')',
  ',',
])

const PIECES: readonly (readonly [kind: ExpressionToken['kind'], pattern: RegExp])[] = [
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ['sign', /[(),]|[-+*/%=<>!|:]+/y],
]

/** The pieces of an expression, or what is wrong with its text. Reads no quote in a way that a dialect may not. */
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

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n') at += 1
  return at
}

/** A prefix (`E'x'`, `_utf8'x'`), a suffix (`1x`) and a text after a text give a quote another meaning. */
function mayFollow(token: ExpressionToken, previous: ExpressionToken | undefined): boolean {
  if (previous === undefined || previous.kind === 'sign' || token.kind === 'sign') return true
  return token.start > previous.end && (token.kind !== 'text' || previous.kind === 'word')
}

function readToken(expression: string, at: number, dialect: Dialect): ExpressionToken | undefined {
  const [open, close] = dialect.identifiers.quotes
  if (expression[at] === "'") return readText(expression, at, dialect)
  if (expression[at] === open) return readName(expression, at, close)
  for (const [kind, pattern] of PIECES) {
    pattern.lastIndex = at
    const value = pattern.exec(expression)?.[0]
    if (value === undefined) continue
    if (kind === 'sign' && !SIGNS.has(value)) return undefined
    return { kind, value, start: at, end: at + value.length }
  }
  return undefined
}

/** A quote in a text may be doubled where the dialect writes it so; elsewhere two quotes are two texts, or more. */
function readText(expression: string, start: number, dialect: Dialect): ExpressionToken | undefined {
  const doubled = dialect.textEscapes["'"] === "''"
  let end = expression.indexOf("'", start + 1)
  while (end > 0 && expression[end + 1] === "'") {
    if (!doubled) return undefined
    end = expression.indexOf("'", end + 2)
  }
  const value = expression.slice(start + 1, end)
  return end > 0 && TEXT.test(value) ? { kind: 'text', value, start, end: end + 1 } : undefined
}

/** A name that holds its own quote is not read: two dialects would read it in two ways. */
function readName(expression: string, start: number, close: string): ExpressionToken | undefined {
  const end = expression.indexOf(close, start + 1)
  if (end < 0 || expression[end + 1] === close) return undefined
  return { kind: 'name', value: expression.slice(start + 1, end), start, end: end + 1 }
}
