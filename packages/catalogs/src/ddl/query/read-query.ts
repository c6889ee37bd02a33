import { type Cursor, type Token, UnreadableSql, isSymbol, isWord } from '../../sql/cursor.ts'
import type { Query, QuerySource, SelectItem } from '../definitions.ts'
import { readName, readNames, storedSpelling, takeName, unreadable } from '../names.ts'
import { PART_OF_EXPRESSION, readCast, readPath } from '../read-cast.ts'
import { type Script, ddlRulesOf } from '../script.ts'

/**
 * Words after which an expression continues: in `a AND b` and `at TIME ZONE x` the last word is an operand, not an
 * alias of the item.
 */
const CONTINUES_EXPRESSION =
  `AND AS AT BETWEEN BY CASE COLLATE DISTINCT DIV ELSE ESCAPE FROM ILIKE IN INTERVAL IS LIKE MOD NOT OR OVER REGEXP
  RLIKE SIMILAR THEN TIME TO WHEN WITH WITHOUT XOR`
    .trim()
    .split(/\s+/)
/** Reads one entry of a select list. */
function readItem(cursor: Cursor, script: Script): SelectItem {
  const tokens = cursor.rest()
  const [first] = tokens
  if (!first) throw unreadable(undefined, 'a column in the select list')
  const star = readStar(cursor.copy(), script)
  if (star) return star
  const { expression, name } = splitAlias(tokens, script)
  const path = readPath(expression, script)
  const cast = readCast(cursor.first(expression.length), script)
  return {
    kind: 'expression',
    name: name ?? path?.at(-1) ?? cast?.name,
    path,
    type: cast?.type,
    offset: first.start,
  }
}

function readStar(cursor: Cursor, script: Script): SelectItem | undefined {
  let of: string | undefined
  while (cursor.atSymbol('.', 1)) {
    of = takeName(cursor, script)
    cursor.next()
  }
  if (!cursor.skipSymbol('*')) return undefined
  const except: string[] = []
  const replaced: SelectItem[] = []
  const renamed: (readonly [string, string])[] = []
  const takeParts = (): readonly Cursor[] => cursor.takeGroup()?.splitByComma() ?? [cursor]
  while (!cursor.done) {
    if (cursor.skip('EXCEPT') || cursor.skip('EXCLUDE'))
      except.push(...takeParts().flatMap((part) => takeName(part, script) ?? []))
    else if (cursor.skip('RENAME')) renamed.push(...takeParts().flatMap((part) => readRenaming(part, script)))
    else if (cursor.skip('REPLACE') && cursor.atSymbol('('))
      replaced.push(...takeParts().map((part) => readItem(part, script)))
    else return undefined // a product
  }
  return { kind: 'star', of, except, replaced, renamed }
}

/** Reads `a AS b`. */
function readRenaming(cursor: Cursor, script: Script): readonly (readonly [string, string])[] {
  const name = takeName(cursor, script)
  const to = cursor.skip('AS') ? takeName(cursor, script) : undefined
  return name === undefined || to === undefined ? [] : [[name, to]]
}

interface Aliased {
  readonly expression: readonly Token[]
  readonly name: string | undefined
}

function splitAlias(tokens: readonly Token[], script: Script): Aliased {
  const [first, second] = tokens
  const last = tokens.at(-1)
  const before = tokens.at(-2)
  const isAssigned =
    ddlRulesOf(script.dialect).assignsAliases && isSymbol(second, '=') && first?.kind !== 'number'
  if (isAssigned && first) return { expression: tokens.slice(2), name: storedSpelling(first, script) }
  if (!last || !before) return { expression: tokens, name: undefined }
  const isName = last.kind === 'name' || last.kind === 'word' || (last.kind === 'text' && tokens.length > 1)
  if (isName && isWord(before, 'AS'))
    return { expression: tokens.slice(0, -2), name: storedSpelling(last, script) }
  const isAlias =
    (last.kind === 'name' || (last.kind === 'word' && !isWord(last, ...PART_OF_EXPRESSION))) &&
    endsExpression(before, tokens)
  if (!isAlias) return { expression: tokens, name: undefined }
  return { expression: tokens.slice(0, -1), name: storedSpelling(last, script) }
}

/** Returns true if an expression may end with a token, so a name after it is an alias. */
function endsExpression(token: Token, tokens: readonly Token[]): boolean {
  if (token.kind === 'symbol') return [')', ']', '}'].includes(token.text)
  if (token.kind === 'word') return !isWord(token, ...CONTINUES_EXPRESSION)
  return token.kind !== 'text' || !isWord(tokens.at(-3), 'INTERVAL')
}

type ReadQuery = (cursor: Cursor, script: Script) => Query
type Sources = Pick<Query, 'sources' | 'mergesColumns'>

/** Words that may follow a table in FROM: they begin a join or a clause of the table, and are not its alias. */
const FOLLOWS_TABLE =
  `ANTI ANY ARRAY ASOF CROSS FINAL FORCE FULL GLOBAL IGNORE INNER JOIN LATERAL LEFT NATURAL ON OUTER PIVOT POSITIONAL RIGHT
  SAMPLE SEMI STRAIGHT_JOIN TABLESAMPLE UNPIVOT USE USING WITH MATCH_RECOGNIZE`
    .trim()
    .split(/\s+/)

/** Reads the sources after FROM. `readQuery` reads queries in brackets. */
function readSources(cursor: Cursor, script: Script, readQuery: ReadQuery): Sources {
  const sources: QuerySource[] = []
  let mergesColumns = false
  do {
    const read = readSource(cursor, script, readQuery)
    sources.push(...read.sources)
    mergesColumns ||= read.mergesColumns
    while (!cursor.done && !cursor.atSymbol(',') && !atJoin(cursor)) {
      mergesColumns ||=
        cursor.at('NATURAL') || cursor.at('USING') || cursor.at('PIVOT') || cursor.at('UNPIVOT')
      if (!cursor.takeGroup()) cursor.next()
    }
  } while (!cursor.done && cursor.next())
  return { sources, mergesColumns }
}

function atJoin(cursor: Cursor): boolean {
  return cursor.at('JOIN') || cursor.at('STRAIGHT_JOIN')
}

function readSource(cursor: Cursor, script: Script, readQuery: ReadQuery): Sources {
  while (cursor.at('LATERAL') || cursor.at('ONLY')) cursor.next()
  const group = cursor.takeGroup()
  const isQuery = group?.at('SELECT') || group?.at('WITH') || group?.atSymbol('(')
  if (group && !isQuery && !group.at('VALUES')) return readSources(group, script, readQuery) // joins in brackets
  const source = group ? undefined : readTable(cursor, script)
  const alias = readAlias(cursor, script)
  const one = (rest: QuerySource): Sources => ({
    sources: [{ ...rest, ...alias, alias: alias.alias ?? rest.alias }],
    mergesColumns: false,
  })
  if (source) return one(source)
  if (!group || !isQuery) return one({ kind: 'other', alias: undefined })
  return one({ kind: 'query', query: readQuery(group, script), alias: undefined })
}

function readTable(cursor: Cursor, script: Script): QuerySource {
  const table = readName(cursor, script)
  const isCall = cursor.takeGroup() !== undefined
  return isCall ? { kind: 'other', alias: table.name } : { kind: 'table', table, alias: table.name }
}

function readAlias(cursor: Cursor, script: Script): Pick<QuerySource, 'alias' | 'names'> {
  const isNamed = cursor.skip('AS') || !isWord(cursor.peek(), ...FOLLOWS_TABLE)
  const alias = isNamed ? takeName(cursor, script) : undefined
  if (alias === undefined || !cursor.atSymbol('(')) return { alias }
  return { alias, names: readNames(cursor.takeGroup(), script) }
}

/** The words that end a select list or the sources of a query. */
const ENDS =
  `EXCEPT FETCH FOR GROUP HAVING INTERSECT INTO LIMIT MINUS OFFSET ORDER PREWHERE QUALIFY SETTINGS UNION WHERE WINDOW
  WITH START CONNECT CLUSTER DISTRIBUTE SORT`
    .trim()
    .split(/\s+/)

/** Words between SELECT and the first item. */
const MODIFIERS =
  `ALL DISTINCT STRAIGHT_JOIN SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_SMALL_RESULT SQL_BIG_RESULT
  SQL_BUFFER_RESULT HIGH_PRIORITY`
    .trim()
    .split(/\s+/)

const ALL: SelectItem = { kind: 'star', of: undefined, except: [] }

/**
 * Reads a select list.
 *
 * @throws {UnreadableSql} If no SELECT comes next.
 */
function readItems(cursor: Cursor, script: Script): readonly SelectItem[] {
  if (!cursor.skip('SELECT')) throw unreadable(cursor.peek(), 'SELECT')
  skipModifiers(cursor)
  const list = takeUntil(cursor, [...ENDS, 'FROM'])
  return list.splitByComma().map((item) => readItem(item, script))
}

/** Reads the parts of a query that determine its result columns. Of a union, it reads the first query. */
export function readQuery(cursor: Cursor, script: Script): Query {
  const start = cursor.peek()
  try {
    const parts = cursor.skip('WITH') ? readParts(cursor, script) : []
    const group = cursor.takeGroup()
    if (group) {
      const inner = readQuery(group, script)
      return { ...inner, parts: [...parts, ...inner.parts] }
    }
    const first = cursor.skip('FROM') ? takeUntil(cursor, [...ENDS, 'SELECT']) : undefined // DuckDB
    if (!first && cursor.at('TABLE')) return readTableQuery(cursor, parts, script) // PostgreSQL
    const items = first && cursor.done ? [ALL] : readItems(cursor, script)
    const from = first ?? (cursor.skip('FROM') ? takeUntil(cursor, ENDS) : undefined)
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

/** Reads `TABLE a`, which is short for `SELECT * FROM a`. */
function readTableQuery(cursor: Cursor, parts: Query['parts'], script: Script): Query {
  cursor.skip('TABLE')
  return { items: [ALL], parts, ...readSources(takeUntil(cursor, ENDS), script, readQuery) }
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

/** Returns true for `* EXCEPT (a, b)`, which leaves columns out; after a query, EXCEPT subtracts another one. */
function isExcepted(cursor: Cursor): boolean {
  const isList = cursor.at('EXCEPT') && isSymbol(cursor.peek(-1), '*') && cursor.atSymbol('(', 1)
  return isList && !isWord(cursor.peek(2), 'SELECT', 'WITH')
}

/** Returns a cursor over the tokens before one of the words, outside all brackets. */
function takeUntil(cursor: Cursor, words: readonly string[]): Cursor {
  const part = cursor.copy()
  let length = 0
  let isCompared = false
  while (!cursor.done) {
    const token = cursor.peek()
    const isEnd =
      isWord(token, ...words) && !isCompared && !isSymbol(cursor.peek(-1), '.') && !isExcepted(cursor)
    if (isEnd && !(isWord(token, 'FOR', 'WITH') && cursor.at('WITH', 'TIME'))) break
    isCompared = isWord(token, 'DISTINCT') && length > 0 // IS DISTINCT FROM
    const before = cursor.position
    if (!cursor.takeGroup()) cursor.next()
    length += cursor.position - before
  }
  return part.first(length)
}
