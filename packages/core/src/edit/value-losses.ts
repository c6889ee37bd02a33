import type { Dialect, Family } from '@stagecraft/dialects'
import { parseType } from '../sql/types.ts'
import type { ConvertedValue } from './converted-value.ts'
import { type ExpressionTree, isConstant, withParts } from './expression-tree.ts'

/** Returns the reason why a cast cuts texts off; undefined if none does. */
export function castFault({ dialect, from, tree, type }: ConvertedValue): string | undefined {
  if (from !== 'string') return undefined
  const length = lengthOf(type, dialect)
  const isCut = withParts(tree).some(
    (part) => part.kind === 'cast' && isText(part.type, dialect) && lengthOf(part.type, dialect) < length,
  )
  return isCut ? 'a text type that is as long as that of the column' : undefined
}

function isText(type: string, dialect: Dialect): boolean {
  return parseType(type, dialect).family === 'string'
}

/** In standard SQL, a bare `char` is one character long; MySQL's casts have no other word for texts. */
function lengthOf(type: string, dialect: Dialect): number {
  const { arguments: given, base } = parseType(type, dialect)
  const isBare = /^(?:national )?n?char(?:acter)?$/.test(base) && dialect.types.cast.string !== base
  return given[0] ?? (isBare ? 1 : Infinity)
}

const TIMES: ReadonlySet<Family> = new Set<Family>(['date', 'time', 'timestamp_ntz', 'timestamp_tz'])

const SHIFTS =
  /^(?:dateadd|date_add|date_sub|adddate|subdate|timestampadd|timestamp_add|timestamp_sub|datetime_add|datetime_sub|add_months|timeadd|(?:add|subtract)(?:days|hours|minutes|months|seconds|weeks|years|quarters))$/i

const CUTS =
  /^(?:date_trunc|datetrunc|timestamp_trunc|datetime_trunc|date_bin|tostartof\w+|tomonday|last_day\w*|tolastday\w+|eomonth|trunc)$/i

/** Returns the reason why a moment is moved, or cut under a name that says a moment. */
export function shiftFault(value: ConvertedValue): string | undefined {
  const { from, staged, to, tree } = value
  const parts = withParts(tree)
  const modified = modifierFault(value)
  if (modified !== undefined) return modified
  const isTime = TIMES.has(from) || (from === 'string' && TIMES.has(to))
  if (isTime && parts.some(isShift)) return 'the moment of the column, not one before or after it'
  const isCut = TIMES.has(from) && parts.some((part) => part.kind === 'call' && CUTS.test(part.name))
  const saysMoment = staged.some((word) => /^(?:at|ts|tstamp|timestamp|datetime|time|utc)$/.test(word))
  return isCut && saysMoment ? 'a name that says what is left of the moment' : undefined
}

const TEXT_TIMES = /^(?:date|time|datetime)$/i

/**
 * Returns the reason why the date functions of SQLite give another moment than a number says: they read it in days
 * since 4714 BC unless told otherwise, and their modifiers move or cut it.
 */
function modifierFault({ comment, dialect, from, raw, to, tree }: ConvertedValue): string | undefined {
  if (!dialect.functions.datesAreText || !NUMBERS.has(from) || !TIMES.has(to)) return undefined
  const calls = withParts(tree).filter((part) => part.kind === 'call' && TEXT_TIMES.test(part.name))
  const modifiers = calls.map((part) =>
    part.kind === 'call' ? part.operands.flatMap((one) => (one.kind === 'text' ? one.value : [])) : [],
  )
  const isJulian = [...raw, ...comment].includes('julian')
  if (!isJulian && modifiers.some((all) => !all.some((one) => /^(?:unixepoch|auto)$/i.test(one))))
    return "the modifier 'unixepoch' for a number of seconds"
  const isMoved = modifiers
    .flat()
    .some((one) => !/^(?:unixepoch|auto|julianday|utc|subsec(?:ond)?)$/i.test(one))
  return isMoved ? 'the moment of the column, neither moved nor cut' : undefined
}

const NUMBERS: ReadonlySet<Family> = new Set<Family>(['integer', 'decimal', 'float'])

function isShift(part: ExpressionTree): boolean {
  if (part.kind === 'call' && SHIFTS.test(part.name)) return true
  // a modifier of SQLite: date(x, '+1 day')
  if (part.kind === 'call' && /^(?:date|time|datetime|julianday|strftime)$/i.test(part.name))
    return part.operands.some((one) => one.kind === 'text' && /^[+-]?\d+(?:\.\d+)? [a-z]+$/i.test(one.value))
  if (part.kind !== 'binary' || !/^[-+]$/.test(part.operator)) return false
  return isAmount(part.left) || isAmount(part.right)
}

/** Days, or an interval. */
function isAmount(part: ExpressionTree): boolean {
  return isConstant(part) && (part.kind === 'number' || (part.kind === 'typed' && part.type === 'interval'))
}
