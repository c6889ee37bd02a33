import { canonicalToken } from './same-tokens.ts'
import type { SqlSyntax, Token } from './scan-sql.ts'

/** Words at the end of an expression that are not names. */
const ENDINGS = new Set(['end', 'null', 'true', 'false'])

/**
 * Returns the column name of an item of a select list; undefined if the text does not show it.
 *
 * @param tokens The tokens of the item that are code.
 */
export function outputName(tokens: readonly Token[], syntax: SqlSyntax): string | undefined {
  const [before, last] = [tokens.at(-2), tokens.at(-1)]
  if (last === undefined) return undefined
  if (before?.kind === 'word' && before.text.toLowerCase() === 'as') return compareName(last, syntax)
  if (last.kind === 'jinja') return before === undefined ? quotedByAdapter(last.text, syntax) : undefined
  if (last.kind !== 'word' && last.kind !== 'name') return undefined
  if (last.kind === 'word' && (/^\d/.test(last.text) || ENDINGS.has(last.text.toLowerCase())))
    return undefined
  if (before === undefined || before.text === '.') return compareName(last, syntax)
  return isOperand(before) ? compareName(last, syntax) : undefined
}

/** Returns the identity of an item: `a as b` is `b`; a name from Jinja is its Jinja. */
export function compareName(token: Token, syntax: SqlSyntax): string {
  if (token.kind === 'jinja') return quotedByAdapter(token.text, syntax) ?? canonicalToken(token, syntax)
  return fold(token.kind === 'name' ? unquote(token.text) : token.text, syntax)
}

/** Returns a name in its form for comparison: ignoring case, unless the warehouse is case-sensitive. */
export function fold(name: string, { identifiers }: SqlSyntax): string {
  return identifiers.caseSensitive ? name : name.toLowerCase()
}

/** Returns the name between quotes. */
function unquote(text: string): string {
  const close = text.at(-1) ?? ''
  return text.slice(1, -1).replaceAll(close + close, close)
}

function quotedByAdapter(jinja: string, syntax: SqlSyntax): string | undefined {
  const [, name] = /^\{\{-?\s*adapter\.quote\(\s*['"]([^'"\\]+)['"]\s*\)\s*-?\}\}$/.exec(jinja) ?? []
  return name === undefined ? undefined : fold(name, syntax)
}

const OPERATORS = new Set(
  'and or not is in like ilike between case when then else distinct from over interval date timestamp collate'.split(
    ' ',
  ),
)

/** Returns true if an expression may end with the token, so a name after it is an alias. */
function isOperand({ kind, text }: Token): boolean {
  if (kind === 'word') return !OPERATORS.has(text.toLowerCase())
  return kind === 'name' || kind === 'string' || kind === 'jinja' || text === ')' || text === ']'
}

/**
 * Returns the names that an item reads: its words and quoted names without the alias, as names are compared. Functions
 * and keywords are among them.
 */
export function namesRead(tokens: readonly Token[], syntax: SqlSyntax): ReadonlySet<string> {
  const names = tokens.flatMap((token) => {
    if (token.kind === 'word' || token.kind === 'name') return compareName(token, syntax)
    if (token.kind === 'jinja')
      return [...token.text.matchAll(/['"]([^'"]+)['"]/g)].map(([, name = '']) => fold(name, syntax))
    return []
  })
  return new Set(aliased(tokens) ? names.slice(0, -1) : names)
}

/** Returns true if the item renames its expression. */
export function aliased(tokens: readonly Token[]): boolean {
  const before = tokens.at(-2)
  return before !== undefined && before.text !== '.'
}
