import type { Dialect, Family } from '@stagecraft/dialects'
import type { Column, Table } from '@stagecraft/spec'
import { oncePerObject, remember } from '../memo.ts'
import { FLAG_WORDS, STATEMENT_WORDS } from '../naming/rules.ts'
import { toSnakeCase } from '../naming/tokens.ts'

/**
 * Returns the own member of a record for a name from a warehouse; undefined for `constructor` and other inherited
 * members.
 */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A parsed raw type. */
export interface ColumnType {
  /** As generated files print it: blanks collapsed, lower case if case has no meaning. */
  readonly text: string
  /** The name without arguments, in lower case: `numeric`, `timestamp with time zone`. */
  readonly base: string
  readonly family: Family
  /** True if the dialect's tables know the type. */
  readonly known: boolean
  /** The numbers in brackets: precision and scale, or length. */
  readonly arguments: readonly number[]
}

const NOISE = /\s+(?:unsigned|signed|zerofill|not null|character set \S+|collate \S+)\b/g

/** The number of types to remember per dialect: a warehouse uses few types in many columns. */
const REMEMBERED = 1000

const indexOf = oncePerObject(({ types }: Dialect): ReadonlyMap<string, Family> => {
  const lists = Object.entries(types.families) as [Family, readonly string[]][]
  return new Map(lists.flatMap(([family, names]) => names.map((name) => [name, family])))
})

const readerOf = oncePerObject((dialect: Dialect) =>
  remember((raw: string) => readType(raw, dialect), REMEMBERED),
)

/** Parses a type as the warehouse spells it. Never fails: an unknown type is of family `other`. */
export function parseType(raw: string, dialect: Dialect): ColumnType {
  return readerOf(dialect)(raw)
}

function readType(raw: string, dialect: Dialect): ColumnType {
  const collapsed = raw.trim().replace(/\s+/g, ' ')
  const text = dialect.types.anyCase ? lowerOutsideQuotes(collapsed) : collapsed
  const bare = unwrap(collapsed.toLowerCase(), dialect).replace(NOISE, '')
  const { base, inside } = splitArguments(bare)
  const numbers = /^[\d\s,]+$/.test(inside) ? inside.split(',').map(Number) : []
  const family = familyOf(bare, base, numbers, dialect)
  return { text, base, family: family ?? 'other', known: family !== undefined, arguments: numbers }
}

/** Converts everything to lower case but quoted parts: the labels of an enum, the fields of a struct. */
function lowerOutsideQuotes(type: string): string {
  return type.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+/g, (part) =>
    part.startsWith("'") || part.startsWith('"') ? part : part.toLowerCase(),
  )
}

/** The most wrappers around one type; no warehouse nests more. */
const MOST_WRAPPERS = 8

function unwrap(type: string, dialect: Dialect): string {
  let bare = type
  for (let depth = 0; depth < MOST_WRAPPERS; depth++) {
    const { base, inside } = splitArguments(bare)
    if (!dialect.types.wrappers.includes(base)) break
    bare = inside.trim()
  }
  return bare
}

/** Splits `timestamp(3) with time zone` into `timestamp with time zone` and `3`. */
function splitArguments(type: string): { readonly base: string; readonly inside: string } {
  const open = type.search(/[(<]/)
  if (open < 0) return { base: type, inside: '' }
  const close = type.lastIndexOf(type[open] === '(' ? ')' : '>')
  const end = close < open ? type.length : close
  const base = `${type.slice(0, open).trim()} ${type.slice(end + 1).trim()}`.trim()
  return { base, inside: type.slice(open + 1, end) }
}

function familyOf(
  bare: string,
  base: string,
  numbers: readonly number[],
  dialect: Dialect,
): Family | undefined {
  const { types } = dialect
  const exact = ownValue(types.exact, bare.replaceAll(' ', ''))
  if (exact) return exact
  if (/\]$| array$/.test(bare) || /^_\w+$/.test(base)) return 'array'
  // an interval may name its fields: `interval day to hour`
  const known = indexOf(dialect)
  // a type of an extension may have its schema in front: `extensions.citext`
  const listed =
    known.get(base) ??
    known.get(base.replace(/^interval .*/, 'interval')) ??
    known.get(base.replace(/^.*\./, ''))
  const isInteger = listed === 'decimal' && types.scaleZeroIsInteger && numbers[1] === 0
  if (isInteger) return 'integer'
  return listed ?? types.contains.find(([part]) => base.includes(part))?.[1]
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words for states of a row. Participles (`deleted`, `verified`) are recognized by their ending. */
const STATES = words(`
  active inactive available current default done hidden hot internal external mandatory new online offline open
  optional paid primary private public read required sent shown sold spam test valid invalid visible
`)

/** `deleted`, `email_verified`, but not `speed`, `feed` and `seed`. */
const PARTICIPLE = /[a-z]{2}[^e]ed$/

/**
 * Returns true if a column of a type that may be a boolean is one. That requires evidence, because `tinyint(1)` also
 * holds numbers up to 127: a list of values 0 and 1, declared or observed, or a name that makes a statement.
 */
export function isFlag({ name, type, values }: Column, dialect: Dialect): boolean {
  if (!mayBeFlag(type, dialect)) return false
  if (values !== undefined) return values.every((value) => /^(?:[01]|true|false)$/i.test(String(value)))
  return saysYesOrNo(name)
}

/** Returns true for a type that holds booleans as well as small numbers. */
export function mayBeFlag(type: string, { types: { mayBeBoolean } }: Dialect): boolean {
  return mayBeBoolean.length > 0 && mayBeBoolean.includes(type.toLowerCase().replaceAll(' ', ''))
}

/** Returns true for a name that makes a statement, so its values are yes and no. */
export function saysYesOrNo(name: string): boolean {
  const parts = toSnakeCase(name).split('_').filter(Boolean)
  const last = parts.at(-1) ?? ''
  return (
    (parts.length > 1 && STATEMENT_WORDS.has(parts[0] ?? '')) ||
    FLAG_WORDS.has(last) ||
    STATES.has(last) ||
    PARTICIPLE.test(last)
  )
}

/** Spells the types of a table in the target dialect. Each type is read in the dialect that it comes from. */
export function translateTable(table: Table, from: Dialect, to: Dialect): Table {
  if (from === to) return table
  const { dialect: _, ...translated } = table
  return {
    ...translated,
    columns: table.columns.map((column) => ({ ...column, type: translateType(column, from, to) })),
  }
}

/** Translates a type. One that the source dialect does not know stays unchanged. */
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

/** Types of nested values need the types of their elements, which few dialects can leave open. */
const NESTED: ReadonlySet<Family> = new Set(['array', 'struct', 'map', 'other'])

function named(family: Family, { types }: Dialect): string | undefined {
  const stated = types.columnTypes[family] ?? types.cast[family]
  // If case matters, the lists of families, which are in lower case, cannot spell a type.
  return stated !== undefined || NESTED.has(family) || !types.anyCase ? stated : types.families[family]?.[0]
}

/** Prints a decimal type; without a precision, it is as open as the dialect allows. */
function decimal({ types }: Dialect, precision?: number, scale = 0): string {
  const standard = types.cast.decimal ?? 'numeric'
  const numbers = /\(\d+, \d+\)/
  if (precision === undefined) return types.anyCase ? standard.replace(numbers, '') : standard
  const text = `(${precision}, ${scale})`
  return numbers.test(standard) ? standard.replace(numbers, text) : standard + text
}
