import {
  number,
  numberOf,
  moment,
  NULL,
  text,
  truth,
  truthOf,
  type TrialValue,
  UNKNOWN,
} from './trial-value.ts'

type Call = (values: readonly TrialValue[]) => TrialValue

/** Returns a function of numbers; other values give an unknown one. */
function ofNumbers(calculate: (...values: readonly number[]) => number): Call {
  return (values) => {
    if (values.some(({ kind }) => kind === 'null')) return NULL
    const numbers = values.map(numberOf)
    return numbers.every((one) => one !== undefined) ? number(calculate(...numbers)) : UNKNOWN
  }
}

/** Returns a function of texts; other values give an unknown one. */
function ofTexts(change: (first: string, ...others: readonly string[]) => string): Call {
  return (values) => {
    if (values.some(({ kind }) => kind === 'null')) return NULL
    const texts = values.map(textOf)
    const [first = '', ...others] = texts.filter((one) => one !== undefined)
    return texts.every((one) => one !== undefined) ? text(change(first, ...others)) : UNKNOWN
  }
}

export function textOf(value: TrialValue): string | undefined {
  return value.kind === 'text' || value.kind === 'number' ? String(value.value) : undefined
}

/** Returns a function from a number to a moment, by the seconds in its unit. */
function ofEpoch(seconds: number): Call {
  return ([value = UNKNOWN]) => {
    if (value.kind === 'null') return NULL
    const count = numberOf(value)
    return count === undefined ? UNKNOWN : moment(count * seconds)
  }
}

function firstFilled(values: readonly TrialValue[]): TrialValue {
  return values.find(({ kind }) => kind !== 'null') ?? NULL
}

export function shift(places: number, digits: number, cut: (value: number) => number): number {
  const scale = 10 ** digits
  const scaled = Number((places * scale).toPrecision(15))
  return cut(scaled) / scale
}

const round = ofNumbers((value = 0, digits = 0) => shift(value, digits, Math.round))
const trunc = ofNumbers((value = 0, digits = 0) => shift(value, digits, Math.trunc))
const quotient = ofNumbers((left = 0, right = 0) => left / right)
const wholeQuotient = ofNumbers((left = 0, right = 0) => Math.trunc(left / right))
const remainder = ofNumbers((left = 0, right = 0) => left % right)
const trim = ofTexts((value) => value.trim())
const replace = ofTexts((value, from = '', to = '') => (from === '' ? value : value.replaceAll(from, to)))

/** An expression that the warehouse's engine reads otherwise gives an unknown value. */
function replaceMatches([value = UNKNOWN, pattern, target = text('')]: readonly TrialValue[]): TrialValue {
  const given = textOf(value)
  if (value.kind === 'null') return NULL
  if (given === undefined || pattern?.kind !== 'text' || target.kind !== 'text') return UNKNOWN
  if (/[\\$]/.test(target.value)) return UNKNOWN
  try {
    const expression = new RegExp(pattern.value.replaceAll('\\\\', '\\'), 'g')
    return text(given.replaceAll(expression, () => target.value))
  } catch {
    return UNKNOWN
  }
}

function nullIf([value = UNKNOWN, other = UNKNOWN]: readonly TrialValue[]): TrialValue {
  if (value.kind === 'unknown' || other.kind === 'unknown') return UNKNOWN
  return areEqual(value, other) === true ? NULL : value
}

/** Compares two values; undefined if they cannot be compared. */
export function areEqual(one: TrialValue, other: TrialValue): boolean | undefined {
  if (one.kind === 'text' && other.kind === 'text') return one.value === other.value
  const numbers = [numberOf(one), numberOf(other)]
  if (numbers.every((value) => value !== undefined)) return numbers[0] === numbers[1]
  if (one.kind === 'truth' || other.kind === 'truth') {
    const truths = [truthOf(one), truthOf(other)]
    return truths.every((value) => value !== undefined) ? truths[0] === truths[1] : undefined
  }
  if (one.kind === 'moment' && other.kind === 'moment') return one.seconds === other.seconds
  return undefined
}

function toTruth([value = UNKNOWN]: readonly TrialValue[]): TrialValue {
  if (value.kind === 'null') return NULL
  const known = truthOf(value)
  return known === undefined ? UNKNOWN : truth(known)
}

/** The functions whose result is known for a sample, by name in lower case. */
const CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ...['coalesce', 'ifnull', 'nvl', 'isnull'].map((name) => [name, firstFilled] as const),
  ['nullif', nullIf],
  ['zeroifnull', ([value = UNKNOWN]) => (value.kind === 'null' ? number(0) : value)],
  ['nullifzero', ([value = UNKNOWN]) => nullIf([value, number(0)])],
  ['round', round],
  ...['trunc', 'truncate'].map((name) => [name, trunc] as const),
  ['floor', ofNumbers((value = 0) => Math.floor(value))],
  ...['ceil', 'ceiling'].map((name) => [name, ofNumbers((value = 0) => Math.ceil(value))] as const),
  ['abs', ofNumbers((value = 0) => Math.abs(value))],
  ['sign', ofNumbers((value = 0) => Math.sign(value))],
  ['greatest', ofNumbers((...values) => Math.max(...values))],
  ['least', ofNumbers((...values) => Math.min(...values))],
  ...['pow', 'power'].map((name) => [name, ofNumbers((base = 0, power = 0) => base ** power)] as const),
  ...['mod', 'modulo'].map((name) => [name, remainder] as const),
  ...['div', 'intdiv'].map((name) => [name, wholeQuotient] as const),
  ...['safe_divide', 'try_divide', 'div0', 'div0null', 'ieee_divide'].map(
    (name) => [name, quotient] as const,
  ),
  ...['lower', 'lowerutf8'].map((name) => [name, ofTexts((value) => value.toLowerCase())] as const),
  ...['upper', 'upperutf8'].map((name) => [name, ofTexts((value) => value.toUpperCase())] as const),
  ...['trim', 'btrim', 'ltrim', 'rtrim', 'trimboth'].map((name) => [name, trim] as const),
  ...['replace', 'replaceall'].map((name) => [name, replace] as const),
  ...['regexp_replace', 'replaceregexpall'].map((name) => [name, replaceMatches] as const),
  ...['to_boolean', 'try_to_boolean'].map((name) => [name, toTruth] as const),
  ...[
    'epoch_seconds from_unixtime timestamp_seconds todatetime todatetime64 fromunixtimestamp',
    'epoch_milliseconds timestamp_millis make_timestamp_ms epoch_ms fromunixtimestamp64milli',
    'epoch_microseconds timestamp_micros make_timestamp fromunixtimestamp64micro',
    'make_timestamp_ns fromunixtimestamp64nano from_unixtime_nanos',
  ].flatMap((names, index) => names.split(' ').map((name) => [name, ofEpoch(1000 ** -index)] as const)),
])

/** Returns the result of a call; undefined for a function that is not listed. */
export function callOn(name: string, values: readonly TrialValue[]): TrialValue | undefined {
  return CALLS.get(name)?.(values)
}
