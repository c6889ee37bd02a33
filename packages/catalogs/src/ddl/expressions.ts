import type { Cursor } from '../sql/cursor.ts'
import type { Script } from './script.ts'

/** Moves past an expression, which ends where a clause begins, and returns it as written, on one line. */
export function readExpression(
  cursor: Cursor,
  { sql }: Script,
  isClause: (cursor: Cursor) => boolean,
): string {
  const start = cursor.peek()?.start ?? 0
  let end = start
  while (!cursor.done && (end === start || !isClause(cursor))) {
    if (cursor.takeGroup()) end = cursor.lastEnd
    else end = cursor.next()?.end ?? end
  }
  return sql.slice(start, end).replace(/\s+/g, ' ')
}
