import type { DialectName } from '@stagecraft/spec'
import type { Cursor } from '../sql/cursor.ts'
import type { Token } from '../sql/tokens.ts'
import { UnreadableSql } from '../sql/unreadable-sql.ts'
import type { QualifiedName } from './definitions.ts'
import type { Script } from './script.ts'

/** What an unquoted name is stored as; everywhere else as it is written. */
const FOLDS: Readonly<Partial<Record<DialectName, 'upper' | 'lower'>>> = {
  snowflake: 'upper',
  postgres: 'lower',
  redshift: 'lower',
  trino: 'lower',
  athena: 'lower',
}

/** One pair of backticks may hold a whole path: `` `project.dataset.table` ``, Athena's `` `database.table` ``. */
const QUOTED_PATHS: ReadonlySet<DialectName | undefined> = new Set(['bigquery', 'athena', undefined])

/**
 * Reads a dotted name of up to three parts.
 *
 * @throws {UnreadableSql} When what comes next is no such name.
 */
export function readName(cursor: Cursor, script: Script): QualifiedName {
  const start = cursor.peek()
  const parts = [...readParts(cursor, script)]
  while (cursor.skipSymbol('.')) {
    if (cursor.atSymbol('.')) parts.push('') // database..table
    else parts.push(...readParts(cursor, script))
  }
  const [name = '', schema, database, ...others] = parts.toReversed()
  if (others.length > 0) throw unreadable(start, 'a name of at most three parts')
  return { database: database || undefined, schema: schema || undefined, name }
}

/**
 * Reads a name of one part.
 *
 * @throws {UnreadableSql} When what comes next is no name.
 */
export function readColumnName(cursor: Cursor, script: Script): string {
  const token = cursor.peek()
  const name = takeName(cursor, script)
  if (name === undefined) throw unreadable(token, 'a name')
  return name
}

/** Moves past a name, if one comes next, and returns it as stored. */
export function takeName(cursor: Cursor, { dialect }: Script): string | undefined {
  const token = cursor.peek()
  // SQLite takes a text for a name where only a name can stand; "x" is one wherever it is no text
  const isName =
    token?.kind === 'word' ||
    token?.kind === 'name' ||
    (token?.kind === 'text' && (token.quote === '"' || dialect === 'sqlite' || dialect === undefined))
  if (!token || !isName) return undefined
  cursor.next()
  return storedSpelling(token, dialect)
}

/** How the dialect stores a name. */
export function storedSpelling({ kind, text }: Token, dialect: DialectName | undefined): string {
  const fold = kind === 'word' && dialect ? FOLDS[dialect] : undefined
  return fold === 'upper' ? text.toUpperCase() : fold === 'lower' ? text.toLowerCase() : text
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
  if (token?.quote === '`' && QUOTED_PATHS.has(script.dialect)) {
    cursor.next()
    return token.text.split('.')
  }
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
