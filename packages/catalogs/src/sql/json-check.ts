import type { NamePart } from '@stagecraft/spec'
import { Cursor } from './cursor.ts'
import { readTokens } from './read-tokens.ts'
import { unlessUnreadable } from './unreadable-sql.ts'

/** The column that ``json_valid(`column`)`` checks: MariaDB keeps JSON as longtext with this check. */
export function readJsonCheck(expression: string): NamePart | undefined {
  return unlessUnreadable(() => readJsonCheckAt(new Cursor(readTokens(expression, 'mysql'))))
}

/** As `readJsonCheck`, for all that a cursor has left. */
export function readJsonCheckAt(cursor: Cursor): NamePart | undefined {
  const group = cursor.skip('JSON_VALID') ? cursor.takeGroup() : undefined
  const column = group?.take('word', 'name')
  return column && group?.done && cursor.done
    ? { text: column.text, quoted: column.kind === 'name' }
    : undefined
}
