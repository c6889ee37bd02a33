import type { Cursor } from '../sql/cursor.ts'

/** Skips tokens that are not understood, up to the next clause that cannot be part of them. */
export function skipToClause(cursor: Cursor): void {
  const isClauseStart = (): boolean =>
    cursor.at('NOT', 'NULL') ||
    cursor.at('PRIMARY', 'KEY') ||
    (cursor.at('COMMENT') && cursor.peek(1)?.kind === 'text')
  do {
    if (!cursor.takeGroup()) cursor.next()
  } while (!cursor.done && !isClauseStart())
}
