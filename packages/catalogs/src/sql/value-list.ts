import type { ColumnValue, DialectName, NamePart } from '@stagecraft/spec'
import { Cursor, type Token, unlessUnreadable } from './cursor.ts'
import { readTokens } from './tokenizer.ts'

const NUMERIC_TYPE =
  /^(?:tiny|small|medium|big|huge)?int(?:eger|\d)?$|^(?:numeric|decimal|real|float\d?|double)$/
const TYPE_TAIL = ['VARYING', 'PRECISION', 'WITH', 'WITHOUT', 'TIME', 'ZONE']

/**
 * Reads one literal with the casts around it. Returns undefined for null, for an expression, and for a number
 * that JavaScript cannot represent exactly.
 */
function readLiteral(cursor: Cursor): ColumnValue | undefined {
  const group = cursor.takeGroup()
  const value = group
    ? readWhole(group)
    : cursor.skip('CAST')
      ? readCast(cursor.takeGroup())
      : readBare(cursor)
  return skipCasts(cursor).reduce<ColumnValue | undefined>(castTo, value)
}

/** Skips casts such as `::type`, and returns the first words of their types in lower case. */
function skipCasts(cursor: Cursor): readonly string[] {
  const types: string[] = []
  while (cursor.skipSymbol('::')) types.push(readTypeName(cursor))
  return types
}

function readTypeName(cursor: Cursor): string {
  let name = cursor.take('word', 'name')?.text ?? ''
  while (cursor.skipSymbol('.')) name = cursor.take('word', 'name')?.text ?? ''
  while (TYPE_TAIL.some((word) => cursor.at(word))) cursor.next()
  cursor.takeGroup()
  while (cursor.takeGroup('[', ']')) continue
  return name.toLowerCase()
}

function readWhole(cursor: Cursor): ColumnValue | undefined {
  const value = readLiteral(cursor)
  return cursor.done ? value : undefined
}

/** Reads a cast in the spelling of DuckDB: `CAST('t' AS BOOLEAN)`. */
function readCast(cursor: Cursor | undefined): ColumnValue | undefined {
  const value = cursor && readLiteral(cursor)
  if (!cursor?.skip('AS')) return undefined
  const cast = castTo(value, readTypeName(cursor))
  return cursor.done ? cast : undefined
}

function readBare(cursor: Cursor): ColumnValue | undefined {
  const isNegative = cursor.skipSymbol('-')
  const token = cursor.next()
  if (token?.kind === 'number') return toNumber(isNegative ? `-${token.text}` : token.text)
  return isNegative ? undefined : textOrTruth(token)
}

function textOrTruth(token: Token | undefined): ColumnValue | undefined {
  if (token?.kind === 'text') return token.text
  const word = token?.kind === 'word' ? token.text.toLowerCase() : ''
  return word === 'true' ? true : word === 'false' ? false : undefined
}

function castTo(value: ColumnValue | undefined, type: string): ColumnValue | undefined {
  if (typeof value !== 'string') return value
  if (NUMERIC_TYPE.test(type)) return toNumber(value)
  if (!/^bool(?:ean)?$/.test(type)) return value
  return /^t(?:rue)?$/i.test(value) ? true : /^f(?:alse)?$/i.test(value) ? false : undefined
}

function toNumber(text: string): number | undefined {
  const number = Number(text)
  const isExact = /^-?\d+$/.test(text) ? Number.isSafeInteger(number) : /^-?[\d.]+$/.test(text)
  return isExact && Number.isFinite(number) ? number : undefined
}

/** The values that a CHECK constraint allows in a column, besides null. */
export interface ValueList {
  readonly column: NamePart
  readonly values: readonly ColumnValue[]
}

/**
 * Reads a CHECK expression that lists the values of one column, in the spellings that warehouses print:
 * `status IN ('a', 'b')`, `((status)::text = ANY ((ARRAY['a'::text])::text[]))`, `[status]='a' OR
 * [status]='b'`. Returns undefined for every other expression: another comparison, a function, two columns, a
 * further condition, or a list with null, which allows all values.
 */
export function readValueList(expression: string, dialect?: DialectName): ValueList | undefined {
  return unlessUnreadable(() => readValueListAt(new Cursor(readTokens(expression, dialect))))
}

/** Like `readValueList`, for the rest of a cursor. */
export function readValueListAt(cursor: Cursor): ValueList | undefined {
  const conditions = readConditions(cursor)
  const column = conditions?.[0]?.column
  const isOneColumn = conditions?.every((condition) => condition.column.text === column?.text)
  const values = conditions?.flatMap((condition) => condition.values) ?? []
  if (!column || !isOneColumn || values.length === 0) return undefined
  return { column, values: [...new Set(values)] }
}

/** Reads conditions joined by OR, which each allow values of the column; `column IS NULL` adds no value. */
function readConditions(cursor: Cursor): readonly ValueList[] | undefined {
  const conditions: ValueList[] = []
  do {
    const found = readTerm(cursor)
    if (!found) return undefined
    conditions.push(...found)
  } while (cursor.skip('OR'))
  return cursor.done ? conditions : undefined
}

/**
 * Reads one condition. A group is a condition if it is the last part or OR follows; otherwise it contains the
 * column.
 */
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

/** Wrapper types of ClickHouse that do not change the values. */
const WRAPPERS = new Set(['NULLABLE', 'LOWCARDINALITY'])

/**
 * Returns the labels of an enum type: `enum('a','b')` of MySQL and DuckDB, `Enum8('a' = 1)` of ClickHouse.
 * Returns undefined for every other type, including `set('a','b')`, whose values are combinations of labels.
 */
export function readEnumType(type: string, dialect?: DialectName): readonly string[] | undefined {
  if (!/\benum/i.test(type)) return undefined
  return unlessUnreadable(() => readEnumTypeAt(new Cursor(readTokens(type, dialect))))
}

/** Like `readEnumType`, for the rest of a cursor. */
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

/** Returns the column in ``json_valid(`column`)``, the check with which MariaDB stores JSON as longtext. */
export function readJsonCheck(expression: string): NamePart | undefined {
  return unlessUnreadable(() => readJsonCheckAt(new Cursor(readTokens(expression, 'mysql'))))
}

/** Like `readJsonCheck`, for the rest of a cursor. */
export function readJsonCheckAt(cursor: Cursor): NamePart | undefined {
  const group = cursor.skip('JSON_VALID') ? cursor.takeGroup() : undefined
  const column = group?.take('word', 'name')
  return column && group?.done && cursor.done
    ? { text: column.text, quoted: column.kind === 'name' }
    : undefined
}

/** Merges lists of a column's values from several sources. Keeps the values that are in every list. */
export function mergeValues(
  lists: readonly (readonly ColumnValue[] | null | undefined)[],
): readonly ColumnValue[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== null && list !== undefined)
  const common = first?.filter((value) => others.every((list) => list.includes(value)))
  return common?.length ? common : undefined
}
