import type { Cursor } from '../../sql/cursor.ts'
import { isSymbol, isWord } from '../../sql/tokens.ts'
import { UnreadableSql } from '../../sql/unreadable-sql.ts'
import { readNames, takeName, unreadable } from '../names.ts'
import type { Script } from '../script.ts'
import type { Query } from './definitions.ts'
import { readItem } from './read-item.ts'
import { readSources } from './read-sources.ts'

/** The words that end a select list or the sources of a query. */
const ENDS =
  `EXCEPT FETCH FOR GROUP HAVING INTERSECT INTO LIMIT MINUS OFFSET ORDER PREWHERE QUALIFY SETTINGS UNION WHERE WINDOW
  WITH START CONNECT CLUSTER DISTRIBUTE SORT`
    .trim()
    .split(/\s+/)

const MODIFIERS =
  `ALL DISTINCT STRAIGHT_JOIN SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_SMALL_RESULT SQL_BIG_RESULT
  SQL_BUFFER_RESULT HIGH_PRIORITY`
    .trim()
    .split(/\s+/)

/** Reads a query, as far as it tells the columns of its result; of several that are put together the first one. */
export function readQuery(cursor: Cursor, script: Script): Query {
  const start = cursor.peek()
  try {
    const parts = cursor.skip('WITH') ? readParts(cursor, script) : []
    const group = cursor.takeGroup()
    if (group) {
      const inner = readQuery(group, script)
      return { ...inner, parts: [...parts, ...inner.parts] }
    }
    if (!cursor.skip('SELECT')) throw unreadable(cursor.peek(), 'SELECT')
    skipModifiers(cursor)
    const list = takeUntil(cursor, [...ENDS, 'FROM'])
    const items = list.splitByComma().map((item) => readItem(item, script))
    const from = cursor.skip('FROM') ? takeUntil(cursor, ENDS) : undefined
    return {
      items,
      parts,
      ...(from ? readSources(from, script, readQuery) : { sources: [], mergesColumns: false }),
    }
  } catch (error) {
    if (!(error instanceof UnreadableSql)) throw error
    const offset = error.offset < 0 ? (start?.start ?? -1) : error.offset
    const reason = new UnreadableSql(offset, error.expected, error.received)
    return { items: [], parts: [], sources: [], mergesColumns: false, unreadable: reason }
  }
}

function readParts(cursor: Cursor, script: Script): Query['parts'] {
  cursor.skip('RECURSIVE')
  const parts: Query['parts'][number][] = []
  do {
    const name = takeName(cursor, script)
    const names = cursor.atSymbol('(') ? readNames(cursor.takeGroup(), script) : undefined
    cursor.skip('AS')
    cursor.skip('NOT')
    cursor.skip('MATERIALIZED')
    const group = cursor.takeGroup()
    if (name === undefined || !group) throw unreadable(cursor.peek(), 'a query of WITH in brackets')
    parts.push({ name, ...(names && { names }), query: readQuery(group, script) })
    while (cursor.at('SEARCH') || cursor.at('CYCLE')) takeUntil(cursor, ['SELECT'])
  } while (cursor.skipSymbol(','))
  return parts
}

function skipModifiers(cursor: Cursor): void {
  for (;;) {
    if (cursor.skip('DISTINCT', 'ON')) cursor.takeGroup()
    else if (cursor.at('TOP') && (cursor.atSymbol('(', 1) || cursor.peek(1)?.kind === 'number')) {
      cursor.next()
      if (!cursor.takeGroup()) cursor.next()
      cursor.skip('PERCENT')
      cursor.skip('WITH', 'TIES')
    } else if (!isWord(cursor.peek(), ...MODIFIERS)) return
    else cursor.next()
  }
}

/** A cursor over what comes before one of the words, outside all brackets. */
function takeUntil(cursor: Cursor, words: readonly string[]): Cursor {
  const part = cursor.copy()
  let length = 0
  let isCompared = false
  while (!cursor.done) {
    const token = cursor.peek()
    const isEnd = isWord(token, ...words) && !isCompared && !isSymbol(cursor.peek(-1), '.')
    if (isEnd && !(isWord(token, 'FOR', 'WITH') && cursor.at('WITH', 'TIME'))) break
    isCompared = isWord(token, 'DISTINCT') && length > 0 // IS DISTINCT FROM
    const before = cursor.position
    if (!cursor.takeGroup()) cursor.next()
    length += cursor.position - before
  }
  return part.first(length)
}
