import type { DialectName } from '@stagecraft/spec'
import { Cursor } from './cursor.ts'
import { readTokens } from './read-tokens.ts'
import { unlessUnreadable } from './unreadable-sql.ts'

/** Types that change nothing about the values of the type in their brackets: ClickHouse's. */
const WRAPPERS = new Set(['NULLABLE', 'LOWCARDINALITY'])

/**
 * The labels of an enum that a type spells out: `enum('a','b')` of MySQL and DuckDB, `Enum8('a' = 1)` of ClickHouse.
 * Undefined for every other type; a `set('a','b')` holds any number of its labels.
 */
export function readEnumType(type: string, dialect?: DialectName): readonly string[] | undefined {
  if (!/\benum/i.test(type)) return undefined
  return unlessUnreadable(() => readEnumTypeAt(new Cursor(readTokens(type, dialect))))
}

/** As `readEnumType`, for all that a cursor has left. */
export function readEnumTypeAt(cursor: Cursor): readonly string[] | undefined {
  const word = cursor.take('word')?.text.toUpperCase() ?? ''
  const group = cursor.takeGroup()
  if (!group || !cursor.done) return undefined
  if (WRAPPERS.has(word)) return readEnumTypeAt(group)
  if (!/^ENUM(?:8|16)?$/.test(word)) return undefined
  const labels = group.splitByComma().map((label) => label.take('text')?.text)
  const known = labels.filter((label) => label !== undefined)
  return known.length === labels.length && known.length > 0 ? known : undefined
}
