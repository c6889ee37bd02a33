import type { Family } from '@stagecraft/dialects'
import { losesUnit } from '../naming/converted-names.ts'
import { parseType } from '../sql/types.ts'
import type { ConvertedValue } from './converted-value.ts'
import { type ExpressionTree, isConstant } from './expression-tree.ts'
import { tryOn } from './trial.ts'
import { textSamples } from './text-samples.ts'
import { number, numberOf, text, type TrialValue } from './trial-value.ts'
import { inventsUnit, isConverted, isNear, isOtherScale, secondsIn } from './units.ts'
import * as names from './value-names.ts'

const NUMBERS: ReadonlySet<Family> = new Set<Family>(['integer', 'decimal', 'float'])
const MOMENTS: ReadonlySet<Family> = new Set<Family>(['date', 'timestamp_ntz', 'timestamp_tz'])

const UNIT =
  'the number of the column, or one in another unit that the raw name or the comment gives a reason for and that the new name says'
const DIGITS = 'all digits of the number: a division or a cast that cuts none off'
const MOMENT = 'a moment only if the name says one, in the unit that the name says'

/** Returns the reason why a number becomes another number, or a wrong moment; undefined if it does not. */
export function scaleFault(value: ConvertedValue): string | undefined {
  const { dialect, from, to, tree } = value
  const isDateText = from === 'float' && dialect.functions.datesAreText
  if (!NUMBERS.has(from) && from !== 'string' && !isDateText) return undefined
  if (NUMBERS.has(to)) return numberFault(value)
  if (!MOMENTS.has(to)) return undefined
  return from === 'string' && !hasEpoch(value) ? undefined : momentFault(value, tree)
}

function numberFault(value: ConvertedValue): string | undefined {
  const { column, dialect, from, isRenamed, raw, staged, tree, type } = value
  const pairs: (readonly [before: number, after: number])[] = []
  for (const [own, sample] of samplesOf(value)) {
    const result = tryOn(tree, { column, value: own, dialect })
    const given = numberOf(result)
    if (result.kind === 'null' && from === 'string') return undefined
    if (given === undefined)
      return from === 'string' && !calculates(tree) ? undefined : `${UNIT}; ${type} as it is`
    pairs.push([sample, given])
  }
  if (isOtherScale(pairs, value)) return undefined
  const factors = pairs.map(([before, after]) => after / before)
  const [factor = 1] = factors
  if (factors.some((one) => !isClose(one, factor))) return DIGITS
  if (!isNear(factor, 1)) return isConverted(factor, value) ? undefined : UNIT
  if (isRenamed && inventsUnit(value)) return UNIT
  return isRenamed && losesUnit(raw, staged)
    ? 'a name that includes the unit, because the values are not converted'
    : undefined
}

/** Rounding in the last of many digits is no loss. */
function isClose(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * 1e-9
}

/** Values that the column can hold, with the numbers that they mean. */
function samplesOf(value: ConvertedValue): readonly (readonly [own: TrialValue, meant: number])[] {
  if (value.from === 'string') return textSamples(value).map(([said, meant]) => [text(said), meant])
  return samplesFor(value).map((sample) => [number(sample, value.from === 'integer'), sample])
}

/** Numbers that the column can hold, with as many decimal places as its type or name says. */
function samplesFor({ dialect, from, raw, type }: ConvertedValue): readonly number[] {
  const { arguments: given, base } = parseType(type, dialect)
  const { largest, scales, single } = dialect.types.ranges
  if (from === 'integer') {
    const most = largest[base] ?? (given[0] === undefined ? 3_000_000_001 : 10 ** given[0] - 1)
    const isSigned = !base.startsWith('u') && !/\bunsigned\b/i.test(type)
    return [7, 23, most, 1999, ...(isSigned ? [-13] : [])].filter((one) => one <= most)
  }
  const scale = from === 'decimal' ? (given[1] ?? (given.length > 0 ? 0 : scales[base])) : undefined
  const places = names.isCounted(raw) ? 0 : Math.min(scale ?? (names.isPrecise(raw) ? 6 : 2), 12)
  const whole = from === 'decimal' && given[0] !== undefined ? 10 ** (given[0] - places) - 1 : 12_345_678
  const fraction = Number(FRACTION.toFixed(places))
  const numbers = [7, 19, Math.trunc(whole / 2), -13]
    .filter((one) => Math.abs(one) <= whole)
    .map((one) => one + fraction)
  return single.includes(base) ? numbers.map(Math.fround) : numbers
}

/** No digit is 0, 5 or 9, so that every rounding shows. */
const FRACTION = 0.371_371_371_371

/** Returns true if an expression ends in a calculation with a constant. */
function calculates(tree: ExpressionTree): boolean {
  if (tree.kind === 'cast' || tree.kind === 'unary') return calculates(tree.operand)
  if (tree.kind === 'case')
    return (
      tree.branches.some(({ result }) => calculates(result)) ||
      (tree.otherwise ? calculates(tree.otherwise) : false)
    )
  if (tree.kind === 'binary')
    return /^[-+*/%]$/.test(tree.operator) && (isConstant(tree.left) || isConstant(tree.right))
  return (
    tree.kind === 'call' &&
    /^(?:round|coalesce|nullif|ifnull|nvl)$/i.test(tree.name) &&
    tree.operands.some(calculates)
  )
}

/** A moment in seconds, so that every engine's text has ten digits or more. */
const SECONDS_OF_SAMPLE = 1_700_000_000

function secondsPer(value: ConvertedValue, own: TrialValue): number | undefined {
  const { column, dialect, tree } = value
  const result = tryOn(tree, { column, value: own, dialect })
  return result.kind === 'moment' ? result.seconds / SECONDS_OF_SAMPLE : undefined
}

function hasEpoch(value: ConvertedValue): boolean {
  return secondsPer(value, text(String(SECONDS_OF_SAMPLE))) !== undefined
}

function momentFault(value: ConvertedValue, tree: ExpressionTree): string | undefined {
  const { comment, dialect, from, raw, type } = value
  const own =
    from === 'string' ? text(String(SECONDS_OF_SAMPLE)) : number(SECONDS_OF_SAMPLE, from === 'integer')
  const said = secondsIn(raw) ?? secondsIn(comment)
  const given = secondsPer(value, own)
  if (names.saysNothing(raw) && said === undefined) return undefined
  if (given === undefined) return names.saysMoment(raw, comment) || isDigits(tree) ? undefined : MOMENT
  if (!names.saysMoment(raw, comment)) return MOMENT
  if (said !== undefined) return isMoment(given, said) ? undefined : MOMENT
  const { base } = parseType(type, dialect)
  const isNarrow = dialect.types.ranges.largest[base] !== undefined
  return isNarrow && given < 0.5 ? 'seconds, because the type is too narrow for a smaller unit' : undefined
}

/** Returns true if a number becomes a moment in a unit that neither the name, the comment nor the type says. */
export function guessesUnit(value: Omit<ConvertedValue, 'staged' | 'isRenamed' | 'to'>): boolean {
  const { column, comment, dialect, from, raw, tree, type } = value
  if (!NUMBERS.has(from) || secondsIn(raw) !== undefined || secondsIn(comment) !== undefined) return false
  const own = number(SECONDS_OF_SAMPLE, from === 'integer')
  const isEpoch = tryOn(tree, { column, value: own, dialect }).kind === 'moment'
  const { base } = parseType(type, dialect)
  const isNarrow = dialect.types.ranges.largest[base] !== undefined
  return isEpoch && !isNarrow && ![...raw, ...comment].some((word) => SECONDS_WORDS.test(word))
}

/** Words of numbers that count seconds if nothing else is said. */
const SECONDS_WORDS = /^(?:unix|unixtime|epoch|posix)$/

/** A date loses the time of day. */
function isMoment(given: number, said: number): boolean {
  return Math.abs(given - said) <= said * 1e-3
}

/** Returns true if the digits of a number are read as a date: `20240131`. */
function isDigits(tree: ExpressionTree): boolean {
  return (
    tree.kind === 'call' && /^(?:to_date|parse_date|strptime|str_to_date|date_parse|date)$/i.test(tree.name)
  )
}
