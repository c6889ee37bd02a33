import type { Dialect, Family } from '@stagecraft/dialects'
import type { Column, Table } from '@stagecraft/spec'
import { isFlag } from './flag.ts'
import { ownValue } from './own-value.ts'
import { type ColumnType, parseType } from './parse-type.ts'

/** The table with its types as the target dialect spells them; each is judged in the dialect it comes from. */
export function translateTable(table: Table, from: Dialect, to: Dialect): Table {
  if (from === to) return table
  const { dialect: _, ...translated } = table
  return {
    ...translated,
    columns: table.columns.map((column) => ({ ...column, type: translateType(column, from, to) })),
  }
}

/** A type that the source dialect does not know either stays as it is. */
function translateType(column: Column, from: Dialect, to: Dialect): string {
  const raw = isFlag(column, from)
    ? 'boolean'
    : (ownValue(from.types.convert, parseType(column.type, from).base) ?? column.type)
  const type = parseType(raw, from)
  if (!type.known && raw !== 'boolean') return raw
  const family = raw === 'boolean' ? 'boolean' : type.family
  return isShared(raw, family, to) ? type.text : spell(family, type, to)
}

/** Families whose types mean the same wherever they have the same name. Widths of numbers differ. */
const SHARED: ReadonlySet<Family> = new Set([
  'string',
  'decimal',
  'date',
  'boolean',
  'json',
  'uuid',
  'binary',
])
const SHARED_INTEGERS = /^(?:smallint|int|integer|bigint)$/i

function isShared(raw: string, family: Family, to: Dialect): boolean {
  const hasPlainArguments =
    /^[a-z0-9_ ]+(?:\([\d\s,]+\))?$/i.test(raw) && !/\b(?:unsigned|character set|collate)\b/i.test(raw)
  const type = parseType(raw, to)
  if (!to.types.anyCase || !hasPlainArguments || !type.known || type.family !== family) return false
  if (type.arguments.length === 0 && to.types.sized.includes(type.base)) return false
  return SHARED.has(family) || SHARED_INTEGERS.test(raw)
}

/** The substitutes for a family that a dialect has no type for, best first. */
const NEXT: Readonly<Partial<Record<Family, readonly Family[]>>> = {
  boolean: ['integer'],
  uuid: ['string'],
  time: ['string'],
  timestamp_tz: ['timestamp_ntz', 'string'],
  timestamp_ntz: ['timestamp_tz', 'string'],
  date: ['string'],
  interval: ['string'],
  struct: ['json', 'string'],
  array: ['json', 'string'],
  map: ['json', 'string'],
  json: ['string'],
  geo: ['string'],
  binary: ['string'],
  other: ['string'],
}

/** Integers that do not fit into 64 bits with a sign. */
const WIDE = /\bbigint\b.*\bunsigned\b|^u(?:big|huge)int|^(?:hugeint|int128|int256|uint64|uint128|uint256)$/i

function spell(family: Family, type: ColumnType, to: Dialect): string {
  const [precision, scale] = type.arguments
  if (family === 'integer' && WIDE.test(type.text)) return decimal(to, 38, 0)
  if (family === 'decimal') return decimal(to, precision, scale)
  const hasLength = to.types.anyCase && to.types.families.string?.includes('varchar') === true
  if (family === 'string' && precision !== undefined && hasLength) return `varchar(${precision})`
  const [name] = [family, ...(NEXT[family] ?? [])].flatMap((one) => named(one, to) ?? [])
  return name ?? type.text
}

/** Types of nested values need those of what is in them, which only few dialects can leave open. */
const NESTED: ReadonlySet<Family> = new Set(['array', 'struct', 'map', 'other'])

function named(family: Family, { types }: Dialect): string | undefined {
  const stated = types.columnTypes[family] ?? types.cast[family]
  // Where case counts, the lists of families, which are in lower case, are no spelling.
  return stated !== undefined || NESTED.has(family) || !types.anyCase ? stated : types.families[family]?.[0]
}

/** Without a precision as open as the dialect has it. */
function decimal({ types }: Dialect, precision?: number, scale = 0): string {
  const standard = types.cast.decimal ?? 'numeric'
  const numbers = /\(\d+, \d+\)/
  if (precision === undefined) return types.anyCase ? standard.replace(numbers, '') : standard
  const text = `(${precision}, ${scale})`
  return numbers.test(standard) ? standard.replace(numbers, text) : standard + text
}
