import { splitWords } from './split-words.ts'
import type { Family } from './type-rules.ts'

/**
 * The result of a function: a family, or the family of its first argument (`first`), of its widest argument
 * (`common`), of its branches (`branches`) or of its first date or time (`moment`). `open` if it depends on
 * the data.
 */
export type FunctionResult = Family | 'first' | 'common' | 'branches' | 'moment' | 'open'

/** Names of functions, separated by spaces, by their result. */
export type FunctionResults = Readonly<Partial<Record<FunctionResult, string>>>

/** The functions and the syntax that a proposed expression may use, and their results. */
export interface FunctionRules {
  /** The vendor's pages that the facts come from. */
  readonly pages: readonly string[]
  /**
   * The functions by their result, as the vendor's reference spells them. Case matters only if names of the
   * dialect are case-sensitive.
   */
  readonly results: FunctionResults
  /** The functions that take a bare date part, such as `month`, as an argument. */
  readonly withPart: readonly string[]
  /** Functions that are called with `as` and a type. */
  readonly casts: readonly string[]
  /** Functions that are called with a type as the first argument. */
  readonly converts: readonly string[]
  /** True if `x::type` is a cast. */
  readonly colonCast: boolean
  /** Other syntax of the dialect, which has another meaning or none in other dialects. */
  readonly syntax: ExpressionSyntax
  /** The families of computed numbers. */
  readonly numbers: NumberRules
  /**
   * The result of a path into a document, by the family that it starts from. For other families, it depends
   * on the data.
   */
  readonly pathResults: Readonly<Partial<Record<Family, Family>>>
  /** The result of `at time zone` for a timestamp with a zone. */
  readonly zoneOfZoned: 'timestamp_ntz' | 'timestamp_tz'
  /** The family of the sum of a date and an interval. */
  readonly dateAndInterval: 'date' | 'timestamp_ntz'
  /** The family of the result of `extract`. */
  readonly extract: 'integer' | 'decimal'
  /** True if booleans are numbers. */
  readonly numericTruth: boolean
  /** True if dates and times are texts. */
  readonly datesAreText: boolean
  /** True if date functions take modifiers as texts: `date(x, '+1 day')`. */
  readonly dateModifiers: boolean
  /** True if functions take words for the time or the zone of the machine. */
  readonly readsTheMachine: boolean
  /** True if a text that is not a number is read as 0. */
  readonly textAsZero: boolean
}

export interface ExpressionSyntax {
  /** Operators that read a part of a document. */
  readonly steps: readonly string[]
  /** True if `x:name` is a path into a document. */
  readonly colonPaths: boolean
  /** True if `x.name` is a field of a record. */
  readonly dots: boolean
  /** True if `x[1]` is an element. */
  readonly brackets: boolean
  /** Words that may enclose the number in brackets. */
  readonly offsets: readonly string[]
  /** True if `~` and similar operators match regular expressions. */
  readonly matchSigns: boolean
  /** True if `x rlike y` and `x regexp y` match regular expressions. */
  readonly matchWords: boolean
  /** True if `safe.f(x)` is a call. */
  readonly safePrefix: boolean
  /** True if `interval x day` is allowed for a column x. */
  readonly intervalsOfColumns: boolean
  /** True if `x || y` joins texts. If it means "or", it is refused. */
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
  /** The family of the quotient of two whole numbers. */
  readonly division: 'integer' | 'decimal' | 'float'
  /** The family of `1.5`. */
  readonly literal: 'decimal' | 'float'
  /** The family of the quotient of two decimals. */
  readonly decimalDivision: 'decimal' | 'float'
}

/**
 * Scalar functions that all dialects have under this name. Each returns the same value for the same row and
 * reads only its arguments.
 */
const COMMON_FUNCTIONS: FunctionResults = {
  string: 'concat lower ltrim replace rtrim substring trim upper',
  first: 'abs floor nullif round',
  common: 'coalesce',
}

/** Returns the functions of a dialect, with those that all dialects have. */
export function resultsBeside(own: FunctionResults): FunctionResults {
  const all = new Set([...Object.keys(COMMON_FUNCTIONS), ...Object.keys(own)]) as ReadonlySet<FunctionResult>
  return Object.fromEntries(
    [...all].map((result) => [result, `${COMMON_FUNCTIONS[result] ?? ''} ${own[result] ?? ''}`.trim()]),
  )
}

/** Bare words for a part of a date. */
export const DATE_PARTS: ReadonlySet<string> = new Set(
  splitWords(`
    year quarter month week isoweek isoyear day dayofweek dayofyear dow doy hour minute second
    millisecond milliseconds microsecond microseconds epoch epoch_second epoch_millisecond days hours minutes seconds months years
    ms us mcs ss weeks isodow week_iso timezone_hour decade century
  `),
)
