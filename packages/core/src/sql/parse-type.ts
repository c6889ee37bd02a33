import type { Dialect, Family } from '@stagecraft/dialects'
import { oncePerObject, remember } from '../memo.ts'
import { ownValue } from './own-value.ts'

/** A raw type, understood. */
export interface ColumnType {
  /** As generated files print it: blanks collapsed, lower case where case means nothing. */
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

/** Types that are remembered of each dialect: a warehouse spells few in many columns. */
const REMEMBERED = 1000

const indexOf = oncePerObject(({ types }: Dialect): ReadonlyMap<string, Family> => {
  const lists = Object.entries(types.families) as [Family, readonly string[]][]
  return new Map(lists.flatMap(([family, names]) => names.map((name) => [name, family])))
})

const readerOf = oncePerObject((dialect: Dialect) =>
  remember((raw: string) => readType(raw, dialect), REMEMBERED),
)

/** Understands a type as the warehouse spells it. Never fails: an unknown type is of family `other`. */
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

/** Lower case for everything but quoted parts: the labels of an enum, the fields of a struct. */
function lowerOutsideQuotes(type: string): string {
  return type.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+/g, (part) =>
    part.startsWith("'") || part.startsWith('"') ? part : part.toLowerCase(),
  )
}

function unwrap(type: string, dialect: Dialect): string {
  const { base, inside } = splitArguments(type)
  return dialect.types.wrappers.includes(base) ? unwrap(inside.trim(), dialect) : type
}

/** `timestamp(3) with time zone` is `timestamp with time zone` and `3`. */
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
  // an interval may say its fields: `interval day to hour`
  const listed = indexOf(dialect).get(base) ?? indexOf(dialect).get(base.replace(/^interval .*/, 'interval'))
  const isInteger = listed === 'decimal' && types.scaleZeroIsInteger && numbers[1] === 0
  if (isInteger) return 'integer'
  return listed ?? types.contains.find(([part]) => base.includes(part))?.[1]
}
