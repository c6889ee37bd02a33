import type { Cursor } from '../sql/cursor.ts'
import { unreadable } from './names.ts'

/**
 * Reads a text, with the `=` that may stand before it. What stands in double quotes is one here, whatever the dialect.
 *
 * @throws {UnreadableSql} When no text comes next.
 */
export function readText(cursor: Cursor): string {
  cursor.skipSymbol('=')
  const token = cursor.peek()
  const isText = token?.kind === 'text' || (token?.kind === 'name' && token.quote === '"')
  if (!isText) throw unreadable(token, 'a text in quotes')
  cursor.next()
  return token.text
}

/** The `description` among the options of a BigQuery table or column: `OPTIONS(description="…")`. */
export function readDescription(cursor: Cursor): string | undefined {
  const options = cursor.takeGroup()?.splitByComma() ?? []
  const description = options.find((option) => option.at('DESCRIPTION'))
  if (!description) return undefined
  description.next()
  return readText(description)
}
