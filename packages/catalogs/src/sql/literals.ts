import type { ColumnValue } from '@stagecraft/spec'
import type { Cursor } from './cursor.ts'
import type { Token } from './tokens.ts'

const NUMERIC_TYPE =
  /^(?:tiny|small|medium|big|huge)?int(?:eger|\d)?$|^(?:numeric|decimal|real|float\d?|double)$/
const TYPE_TAIL = ['VARYING', 'PRECISION', 'WITH', 'WITHOUT', 'TIME', 'ZONE']

/**
 * Reads one literal with the casts around it. Undefined for null, for an expression, and for a number that
 * JavaScript cannot hold exactly.
 */
export function readLiteral(cursor: Cursor): ColumnValue | undefined {
  const group = cursor.takeGroup()
  const value = group
    ? readWhole(group)
    : cursor.skip('CAST')
      ? readCast(cursor.takeGroup())
      : readBare(cursor)
  return skipCasts(cursor).reduce<ColumnValue | undefined>(castTo, value)
}

/** Moves past `::type` and returns the types by their first word, in lower case. */
export function skipCasts(cursor: Cursor): readonly string[] {
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

/** DuckDB's spelling of a cast: `CAST('t' AS BOOLEAN)`. */
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
