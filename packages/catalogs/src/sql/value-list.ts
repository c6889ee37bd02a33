import type { ColumnValue, DialectName, NamePart } from '@stagecraft/spec'
import { Cursor } from './cursor.ts'
import { readLiteral, skipCasts } from './literals.ts'
import { readTokens } from './read-tokens.ts'
import { unlessUnreadable } from './unreadable-sql.ts'

/** Every value that a CHECK constraint lets a column hold, next to null. */
export interface ValueList {
  readonly column: NamePart
  readonly values: readonly ColumnValue[]
}

/**
 * Understands a CHECK expression that lists the values of one column, in the spellings that warehouses print:
 * `status IN ('a', 'b')`, `((status)::text = ANY ((ARRAY['a'::text])::text[]))`, `[status]='a' OR [status]='b'`.
 * Undefined for every other expression: one that compares otherwise, calls a function, names two columns, adds a
 * condition, or lists null, which makes a check let everything pass.
 */
export function readValueList(expression: string, dialect?: DialectName): ValueList | undefined {
  return unlessUnreadable(() => readValueListAt(new Cursor(readTokens(expression, dialect))))
}

/** As `readValueList`, for all that a cursor has left. */
export function readValueListAt(cursor: Cursor): ValueList | undefined {
  const conditions = readConditions(cursor)
  const column = conditions?.[0]?.column
  const isOneColumn = conditions?.every((condition) => condition.column.text === column?.text)
  const values = conditions?.flatMap((condition) => condition.values) ?? []
  if (!column || !isOneColumn || values.length === 0) return undefined
  return { column, values: [...new Set(values)] }
}

/** Conditions joined by OR, each of which says what the column may be; `column IS NULL` adds no value. */
function readConditions(cursor: Cursor): readonly ValueList[] | undefined {
  const conditions: ValueList[] = []
  do {
    const found = readTerm(cursor)
    if (!found) return undefined
    conditions.push(...found)
  } while (cursor.skip('OR'))
  return cursor.done ? conditions : undefined
}

/** A group is a condition when nothing but another condition follows it, else it holds the column. */
function readTerm(cursor: Cursor): readonly ValueList[] | undefined {
  const group = cursor.takeGroup()
  if (group && (cursor.done || cursor.at('OR'))) return readConditions(group)
  const column = group ? readWholeColumn(group) : readColumn(cursor)
  if (!column) return undefined
  skipCasts(cursor)
  const values = readValues(cursor)
  return values && [{ column, values }]
}

function readWholeColumn(cursor: Cursor): NamePart | undefined {
  const group = cursor.takeGroup()
  const column = group ? readWholeColumn(group) : readColumn(cursor)
  skipCasts(cursor)
  return cursor.done ? column : undefined
}

function readColumn(cursor: Cursor): NamePart | undefined {
  const token = cursor.take('word', 'name')
  return token && { text: token.text, quoted: token.kind === 'name' }
}

function readValues(cursor: Cursor): readonly ColumnValue[] | undefined {
  if (cursor.skip('IS', 'NULL')) return []
  if (cursor.skip('IN')) return readList(cursor.takeGroup())
  if (!cursor.skipSymbol('=')) return undefined
  if (cursor.skip('ANY')) return readArray(cursor.takeGroup())
  const value = readLiteral(cursor)
  return value === undefined ? undefined : [value]
}

function readArray(cursor: Cursor | undefined): readonly ColumnValue[] | undefined {
  if (!cursor) return undefined
  const values = cursor.skip('ARRAY') ? readList(cursor.takeGroup('[', ']')) : readArray(cursor.takeGroup())
  skipCasts(cursor)
  return cursor.done ? values : undefined
}

function readList(cursor: Cursor | undefined): readonly ColumnValue[] | undefined {
  const values = cursor?.splitByComma().map((item) => {
    const value = readLiteral(item)
    return item.done ? value : undefined
  })
  const known = values?.filter((value) => value !== undefined)
  return known?.length === values?.length ? known : undefined
}
