import type { Cursor } from '../sql/cursor.ts'
import { unreadable } from './names.ts'
import type { Script } from './script.ts'

/** Endings of types that look like clauses: `'12:00'::time with time zone`. */
export const TIME_ZONES = [
  ['WITH', 'TIME', 'ZONE'],
  ['WITHOUT', 'TIME', 'ZONE'],
  ['WITH', 'LOCAL', 'TIME', 'ZONE'],
] as const

function skipTimeZone(cursor: Cursor): boolean {
  return TIME_ZONES.some((words) => cursor.skip(...words))
}

/** Skips an expression, up to the next clause, and returns it as written, on one line. */
export function readExpression(
  cursor: Cursor,
  { sql }: Script,
  isClause: (cursor: Cursor) => boolean,
): string {
  const start = cursor.peek()?.start ?? 0
  let end = start
  const isZoneNext = (): boolean => TIME_ZONES.some((words) => cursor.at(...words))
  while (!cursor.done && (end === start || isZoneNext() || !isClause(cursor))) {
    if (cursor.takeGroup() || skipTimeZone(cursor)) end = cursor.lastEnd
    else end = cursor.next()?.end ?? end
  }
  return sql.slice(start, end).replace(/\s+/g, ' ')
}

/**
 * Reads a text, after an optional `=`. Double quotes are text here in every dialect.
 *
 * @throws {UnreadableSql} If no text comes next.
 */
export function readText(cursor: Cursor): string {
  cursor.skipSymbol('=')
  const token = cursor.peek()
  const isText = token?.kind === 'text' || (token?.kind === 'name' && token.quote === '"')
  if (!isText) throw unreadable(token, 'a text in quotes')
  cursor.next()
  return token.text
}

/** Reads the `description` among the options of a BigQuery table or column: `OPTIONS(description="…")`. */
export function readDescription(cursor: Cursor): string | undefined {
  const options = cursor.takeGroup()?.splitByComma() ?? []
  const description = options.find((option) => option.at('DESCRIPTION'))
  if (!description) return undefined
  description.next()
  return readText(description)
}
