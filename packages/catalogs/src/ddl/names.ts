import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { type Cursor, type Token, UnreadableSql } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'
import type { QualifiedName, Reference } from './definitions.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** Matches names that need no quotes, except for their case. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_$]*$/u

/**
 * Matches a part of a name that is filled in before the script runs: `{{ name }}`, `${name}`, `{name}`, `<name>`,
 * `<%= name %>` and sqlcmd's `$(name)`, also beside other characters, as in `orders_<env>`; and `%name%`,
 * `%(name)s`, `:name`, `@name.`, `&name` and `identifier(:name)`.
 */
const PLACEHOLDER =
  /\w*(?:(?:\{\{[^{}]*\}\}|[$#]?\{\w+\}|\$\(\w+\)|<%[^%>]*%>|<\w+>)\w*)+|%(?:\w+%|\(\w+\)s)|:\w+|@\w+(?=\.)|&{1,2}\w+|identifier\s*\(\s*[:$][^()]*\)/iy

/**
 * Returns a name as the warehouse stores it. A script in another dialect describes the origin of the tables.
 * Then a name keeps its case only if the script has quotes to keep it.
 */
export function storedSpelling(
  { kind, text }: Pick<Token, 'kind' | 'text'>,
  { dialect, target = dialect }: Pick<Script, 'dialect' | 'target'>,
): string {
  if (target === dialect) return kind === 'word' ? fold(text, dialect) : text
  const isPlain = PLAIN.test(text)
  const isCaseless = kind === 'word' || quotesIgnoreCase(dialect) || text === fold(text, dialect)
  const isFolded =
    isPlain && isCaseless && target !== undefined && DIALECTS[target].identifiers.stores !== 'as written'
  if (isFolded) return fold(text, target)
  return kind === 'word' ? fold(text, dialect) : text
}

function fold(text: string, dialect: DialectName | undefined): string {
  const way = dialect && DIALECTS[dialect].identifiers.stores
  return way === 'upper' ? text.toUpperCase() : way === 'lower' ? text.toLowerCase() : text
}

/** Returns true if `[Id]` and `id` are the same column. */
function quotesIgnoreCase(dialect: DialectName | undefined): boolean {
  return dialect !== undefined && !DIALECTS[dialect].identifiers.caseSensitive
}

/**
 * Reads a dotted name of up to three parts.
 *
 * @throws {UnreadableSql} If no such name comes next.
 */
export function readName(cursor: Cursor, script: Script): QualifiedName {
  const start = cursor.peek()
  const parts = [...readParts(cursor, script)]
  while (cursor.skipSymbol('.')) {
    if (cursor.atSymbol('.')) parts.push('') // database..table
    else parts.push(...readParts(cursor, script))
  }
  const [name = '', schema, database, ...others] = parts.toReversed().map((part) => toText(part))
  if (name === '') throw noValue(script.sql.slice(start?.start ?? 0, cursor.lastEnd), start?.start ?? -1)
  if (others.length > 0) throw unreadable(start, 'a name of at most three parts')
  for (const part of parts)
    if (typeof part !== 'string') reportPlaceholder(part.placeholder, start?.start ?? -1, script)
  return { database: database || undefined, schema: schema || undefined, name }
}

/** A part of a name, or the placeholder that leaves it open. */
type NamePart = string | { readonly placeholder: string }

function toText(part: NamePart): string {
  return typeof part === 'string' ? part : ''
}

/**
 * Reads a name of one part.
 *
 * @throws {UnreadableSql} When no name comes next.
 */
export function readColumnName(cursor: Cursor, script: Script): string {
  const token = cursor.peek()
  const name = takeName(cursor, script)
  if (name === undefined) throw unreadable(token, 'a name')
  return name
}

/** Takes a name, if one comes next, and returns it as stored. */
export function takeName(cursor: Cursor, script: Script): string | undefined {
  const token = cursor.peek()
  // SQLite accepts a text where only a name is possible; "x" is a name unless it is a text
  const isName =
    token?.kind === 'word' ||
    token?.kind === 'name' ||
    (token?.kind === 'text' && (token.quote === '"' || ddlRulesOf(script.dialect).textsAsNames))
  if (!token || !isName) return undefined
  cursor.next()
  return storedSpelling(token, script)
}

/** Reads the names in brackets, and ignores anything after each name. */
export function readNames(group: Cursor | undefined, script: Script): readonly string[] {
  return (group?.splitByComma() ?? []).flatMap((part) => takeName(part, script) ?? [])
}

/** Creates the error for an unexpected token. */
export function unreadable(token: Token | undefined, expected: string): UnreadableSql {
  return new UnreadableSql(
    token?.start ?? -1,
    expected,
    token ? JSON.stringify(token.text) : 'the end of the statement',
  )
}

function readParts(cursor: Cursor, script: Script): readonly NamePart[] {
  const token = cursor.peek()
  if (token?.quote === '`' && ddlRulesOf(script.dialect).quotedPaths) {
    cursor.next()
    return token.text.split('.').map((text) => storedSpelling({ kind: 'name', text }, script))
  }
  if (cursor.at('IDENTIFIER') && cursor.atSymbol('(', 1) && cursor.peek(2)?.kind === 'text') {
    cursor.next()
    const path = readTokens(cursor.takeGroup()?.next()?.text ?? '', script.dialect)
    return path.filter(({ kind }) => kind !== 'symbol').map((part) => storedSpelling(part, script))
  }
  const placeholder = takePlaceholder(cursor, script)
  if (placeholder !== undefined) return [{ placeholder }]
  return [readColumnName(cursor, script) + readHyphens(cursor, token)]
}

/** Takes a part of a name that a placeholder leaves open, and returns it as written. */
export function takePlaceholder(cursor: Cursor, { sql }: Pick<Script, 'sql'>): string | undefined {
  const token = cursor.peek()
  if (!token) return undefined
  if (token.quote === '[' && /\$\(\w+\)/.test(token.text)) return cursor.next()?.text
  PLACEHOLDER.lastIndex = token.start
  const [text] = token.kind === 'word' || token.kind === 'symbol' ? (PLACEHOLDER.exec(sql) ?? []) : []
  if (text === undefined) return undefined
  for (let next = cursor.peek(); next && next.start < token.start + text.length; next = cursor.peek())
    cursor.next()
  return text
}

/** Reports a placeholder once per script. The level that it names stays open. */
export function reportPlaceholder(text: string, start: number, script: Script): void {
  if (!script.placeholders?.has(text)) script.skip?.(noValue(text, start))
  script.placeholders?.add(text)
}

/** Creates the error for a name that a placeholder leaves open. */
function noValue(text: string, start: number): UnreadableSql {
  return new UnreadableSql(start, 'a name', `${text}, a placeholder without a value,`)
}

/** Reads the hyphens that projects of BigQuery may have without quotes: `my-project.shop.orders`. */
function readHyphens(cursor: Cursor, before: Token | undefined): string {
  let text = ''
  let end = before?.end
  while (
    cursor.atSymbol('-') &&
    cursor.peek()?.start === end &&
    cursor.peek(1)?.start === cursor.peek()?.end
  ) {
    cursor.next()
    const word = cursor.next()
    text += `-${word?.text ?? ''}`
    end = word?.end
  }
  return text
}

/**
 * Reads the columns of a key or index. Undefined if one of them is an expression, because the key then says
 * nothing about columns. A prefix (`name(10)`), an order and a collation are ignored.
 */
export function readKeyColumns(cursor: Cursor, script: Script): readonly string[] | undefined {
  const columns = cursor.splitByComma().map((part) => readKeyColumn(part, script))
  const plain = columns.filter((column) => column !== undefined)
  return plain.length > 0 && plain.length === columns.length ? plain : undefined
}

function readKeyColumn(cursor: Cursor, script: Script): string | undefined {
  const name = takeName(cursor, script)
  const isPrefix = cursor.peek(1)?.kind === 'number'
  if (isPrefix) cursor.takeGroup()
  while (cursor.take('word', 'name')) continue // ASC, NULLS LAST, COLLATE "C", an operator class
  return cursor.done ? name : undefined
}

/**
 * Reads the target of REFERENCES.
 *
 * @throws {UnreadableSql} If it is not a table.
 */
export function readReference(cursor: Cursor, script: Script): Reference {
  const table = readName(cursor, script)
  const columns = cursor.takeGroup()
  return { table, columns: columns && readKeyColumns(columns, script) }
}
