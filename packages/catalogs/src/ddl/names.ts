import { DIALECTS } from '@stagecraft/dialects'
import type { DialectName } from '@stagecraft/spec'
import { type Cursor, type Token, UnreadableSql } from '../sql/cursor.ts'
import { readTokens } from '../sql/tokenizer.ts'
import type { QualifiedName, Reference } from './definitions.ts'
import { type Script, ddlRulesOf } from './script.ts'

/** A name that needs no quotes in a warehouse that stores it as such. */
const PLAIN = /^[\p{L}_][\p{L}\p{N}_$]*$/u

/**
 * Returns how the warehouse stores a name. A script of another dialect than the warehouse's describes where its tables
 * came from: a name then keeps its case only where the script's quotes were there to keep it.
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
 * @throws {UnreadableSql} When no such name comes next.
 */
export function readName(cursor: Cursor, script: Script): QualifiedName {
  const start = cursor.peek()
  const parts = [...readParts(cursor, script)]
  while (cursor.skipSymbol('.')) {
    if (cursor.atSymbol('.')) parts.push('') // database..table
    else parts.push(...readParts(cursor, script))
  }
  const [name = '', schema, database, ...others] = parts.toReversed()
  if (name === '') throw unreadable(start, 'a name')
  if (others.length > 0) throw unreadable(start, 'a name of at most three parts')
  return { database: database || undefined, schema: schema || undefined, name }
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

/** Moves past a name, if one comes next, and returns it as stored. */
export function takeName(cursor: Cursor, script: Script): string | undefined {
  const token = cursor.peek()
  // SQLite takes a text for a name where only a name can stand; "x" is one wherever it is no text
  const isName =
    token?.kind === 'word' ||
    token?.kind === 'name' ||
    (token?.kind === 'text' && (token.quote === '"' || ddlRulesOf(script.dialect).textsAsNames))
  if (!token || !isName) return undefined
  cursor.next()
  return storedSpelling(token, script)
}

/** The names in brackets; what stands behind each is passed over. */
export function readNames(group: Cursor | undefined, script: Script): readonly string[] {
  return (group?.splitByComma() ?? []).flatMap((part) => takeName(part, script) ?? [])
}

/** The error for a token that should have been something else. */
export function unreadable(token: Token | undefined, expected: string): UnreadableSql {
  return new UnreadableSql(
    token?.start ?? -1,
    expected,
    token ? JSON.stringify(token.text) : 'the end of the statement',
  )
}

function readParts(cursor: Cursor, script: Script): readonly string[] {
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
  if (isVariable(cursor)) return [skipVariable(cursor, script)]
  return [readColumnName(cursor, script) + readHyphens(cursor, token)]
}

/** BigQuery's projects may have hyphens without quotes: `my-project.shop.orders`. */
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

/** A variable of sqlcmd that has no value: `$(DatabaseName)`, in brackets or without. */
export function isVariable(cursor: Cursor): boolean {
  const token = cursor.peek()
  const isBare = token?.kind === 'word' && token.text === '$' && cursor.atSymbol('(', 1)
  return isBare || (token?.quote === '[' && /\$\(\w+\)/.test(token.text))
}

/** The level that it names is left open. */
export function skipVariable(cursor: Cursor, script: Script): string {
  const token = cursor.next()
  const name = cursor.takeGroup()?.peek()?.text
  const received = name === undefined ? (token?.text ?? '') : `$(${name})`
  script.skip?.(
    new UnreadableSql(token?.start ?? -1, 'a name', `the variable ${received}, which has no value`),
  )
  return ''
}

/**
 * The columns of a key or index. Undefined when one of them is an expression, so that the key says nothing about the
 * columns; a prefix (`name(10)`), an order and a collation change nothing about that.
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
 * Reads what stands behind REFERENCES.
 *
 * @throws {UnreadableSql} When that is no table.
 */
export function readReference(cursor: Cursor, script: Script): Reference {
  const table = readName(cursor, script)
  const columns = cursor.takeGroup()
  return { table, columns: columns && readKeyColumns(columns, script) }
}
