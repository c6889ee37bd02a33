import { splitWords } from './split-words.ts'
import type { Family } from './type-rules.ts'

/**
 * The result of a function: a family; that of its first argument; the widest of its arguments; that of the
 * branches which it chooses from; that of the first moment among its arguments; or what only the data tell.
 */
export type FunctionResult = Family | 'first' | 'common' | 'branches' | 'moment' | 'open'

/** Names of functions, separated by blanks, by what they give. */
export type FunctionResults = Readonly<Partial<Record<FunctionResult, string>>>

/** The functions and the syntax that a proposed expression may have, and what they give. */
export interface FunctionRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /** The functions by their result. As the vendor's reference spells them; case counts only where the dialect's names have case. */
  readonly results: FunctionResults
  /** Those of them that take a bare date part, such as `month`, as an argument. */
  readonly withPart: readonly string[]
  /** Calls that are written with `as` and a type. */
  readonly casts: readonly string[]
  /** Calls that are written with a type as the first argument. */
  readonly converts: readonly string[]
  /** `x::type` is a cast. */
  readonly colonCast: boolean
  /** Other syntax of the dialect, for which others have another meaning or none. */
  readonly syntax: ExpressionSyntax
  /** The families of computed numbers. */
  readonly numbers: NumberRules
  /** The result of a path into a document, by the family that it starts from; elsewhere only the data tell. */
  readonly pathResults: Readonly<Partial<Record<Family, Family>>>
  /** The result of `at time zone` for a moment that has a zone. */
  readonly zoneOfZoned: 'timestamp_ntz' | 'timestamp_tz'
  /** The sum of a date and an interval. */
  readonly dateAndInterval: 'date' | 'timestamp_ntz'
  /** The result of `extract`. */
  readonly extract: 'integer' | 'decimal'
  /** Truth is a number. */
  readonly numericTruth: boolean
  /** Dates and times are texts. */
  readonly datesAreText: boolean
  /** Functions of dates take texts that move the date: `date(x, '+1 day')`. */
  readonly dateModifiers: boolean
  /** Functions take words for the time or the zone of the machine. */
  readonly readsTheMachine: boolean
  /** A text that is no number is read as 0. */
  readonly textAsZero: boolean
}

export interface ExpressionSyntax {
  /** Operators that step into a document. */
  readonly steps: readonly string[]
  /** `x:name`, a path into a document. */
  readonly colonPaths: boolean
  /** `x.name`, a field of a record. */
  readonly dots: boolean
  /** `x[1]`. */
  readonly brackets: boolean
  /** Words that may stand around the number in brackets. */
  readonly offsets: readonly string[]
  /** `~` and its kin match regular expressions. */
  readonly matchSigns: boolean
  /** `x rlike y`, `x regexp y`. */
  readonly matchWords: boolean
  /** `safe.f(x)`. */
  readonly safePrefix: boolean
  /** `interval x day`, where x is a column. */
  readonly intervalsOfColumns: boolean
  /** `x || y` joins texts; where it means or, it is refused. */
  readonly joinsByPipes: boolean
}

export const PLAIN_SYNTAX: ExpressionSyntax = {
  steps: [],
  colonPaths: false,
  dots: false,
  brackets: false,
  offsets: [],
  matchSigns: false,
  matchWords: false,
  safePrefix: false,
  intervalsOfColumns: false,
  joinsByPipes: true,
}

interface NumberRules {
  /** The quotient of two whole numbers. */
  readonly division: 'integer' | 'decimal' | 'float'
  /** The family of `1.5`. */
  readonly literal: 'decimal' | 'float'
  /** Decimals are divided as floating point numbers. */
  readonly decimalDivision: 'decimal' | 'float'
}

/**
 * Scalar functions that all of the dialects have by this name. Each gives the same value for the same row and
 * reads nothing but its arguments.
 */
const EVERYWHERE: FunctionResults = {
  string: 'concat lower ltrim replace rtrim substring trim upper',
  first: 'abs floor nullif round',
  common: 'coalesce',
}

/** Returns the functions of a dialect together with those that all dialects have. */
export function resultsBeside(own: FunctionResults): FunctionResults {
  const all = new Set([...Object.keys(EVERYWHERE), ...Object.keys(own)]) as ReadonlySet<FunctionResult>
  return Object.fromEntries(
    [...all].map((result) => [result, `${EVERYWHERE[result] ?? ''} ${own[result] ?? ''}`.trim()]),
  )
}

/** Bare words that say which part of a date is meant. */
export const DATE_PARTS: ReadonlySet<string> = new Set(
  splitWords(`
    year quarter month week isoweek isoyear day dayofweek dayofyear dow doy hour minute second
    millisecond milliseconds microsecond microseconds epoch epoch_second epoch_millisecond days hours minutes seconds months years
    weeks isodow week_iso timezone_hour decade century
  `),
)
