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

function lengthOf(type: string, dialect: Dialect): number {
  return parseType(type, dialect).arguments[0] ?? Infinity
}

const TIMES: ReadonlySet<Family> = new Set<Family>(['date', 'time', 'timestamp_ntz', 'timestamp_tz'])

const SHIFTS =
  /^(?:dateadd|date_add|date_sub|adddate|subdate|timestampadd|timestamp_add|timestamp_sub|datetime_add|datetime_sub|add_months|timeadd|(?:add|subtract)(?:days|hours|minutes|months|seconds|weeks|years|quarters))$/i

const CUTS =
  /^(?:date_trunc|datetrunc|timestamp_trunc|datetime_trunc|date_bin|tostartof\w+|tomonday|last_day\w*|tolastday\w+|eomonth|trunc)$/i

/** Returns the reason why a moment is moved, or cut under a name that says a moment. */
export function shiftFault({ from, staged, to, tree }: ConvertedValue): string | undefined {
  const parts = withParts(tree)
  const isTime = TIMES.has(from) || (from === 'string' && TIMES.has(to))
  if (isTime && parts.some(isShift)) return 'the moment of the column, not one before or after it'
  const isCut = TIMES.has(from) && parts.some((part) => part.kind === 'call' && CUTS.test(part.name))
  const saysMoment = staged.some((word) => /^(?:at|ts|tstamp|timestamp|datetime|time|utc)$/.test(word))
  return isCut && saysMoment ? 'a name that says what is left of the moment' : undefined
}

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
