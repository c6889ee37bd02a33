import { CENT_WORDS } from '../naming/rules.ts'

/** A unit of measure: how much of the base unit of its kind one is. */
interface Unit {
  readonly kind: string
  readonly size: number
}

const CELSIUS = 1
const FAHRENHEIT = 2

/** Units by kind. The sizes of temperatures only tell them apart, since their zeros differ. Short words are units only at the end of a name: `us` is a country, `min` a minimum. */
const UNITS: readonly (readonly [kind: string, size: number, words: string])[] = [
  ['money', 1, 'dollar dollars euro euros pound pounds usd eur gbp'],
  ['money', 0.01, [...CENT_WORDS, 'minor', 'kopecks', 'paise'].join(' ')],
  ['money', 1e-6, 'micros micro'],
  ['time', 1e-9, 'ns nanos nano nanosecond nanoseconds'],
  ['time', 1e-6, 'us usec usecs micros micro microsecond microseconds'],
  ['time', 1e-3, 'ms msec msecs millis milli millisecond milliseconds'],
  ['time', 1, 's sec secs second seconds'],
  ['time', 60, 'min mins minute minutes'],
  ['time', 3600, 'h hr hrs hour hours'],
  ['time', 86_400, 'day days'],
  ['share', 1, 'ratio rate fraction share'],
  ['share', 0.01, 'pct percent percentage'],
  ['share', 1e-4, 'bps bp basis'],
  ['bytes', 1, 'byte bytes'],
  ['bytes', 1024, 'kb kib kilobytes'],
  ['bytes', 1024 ** 2, 'mb mib megabytes'],
  ['bytes', 1024 ** 3, 'gb gib gigabytes'],
  ['decimal bytes', 1, 'byte bytes'],
  ['decimal bytes', 1e3, 'kb kilobytes'],
  ['decimal bytes', 1e6, 'mb megabytes'],
  ['decimal bytes', 1e9, 'gb gigabytes'],
  ['mass', 1e-6, 'mg'],
  ['mass', 1e-3, 'g gram grams'],
  ['mass', 1, 'kg kilograms'],
  ['mass', 0.453_592_37, 'lb lbs'],
  ['length', 1e-3, 'mm millimeters'],
  ['length', 0.01, 'cm centimeters'],
  ['length', 1, 'm meters metres'],
  ['length', 1e3, 'km kilometers'],
  ['length', 1609.344, 'mi miles'],
  ['length', 0.3048, 'ft feet foot'],
  ['length', 0.0254, 'inch inches'],
  ['mass', 1e3, 'tonnes tons'],
  ['mass', 0.028_349_523_125, 'oz ounces'],
  ['energy', 1, 'wh'],
  ['energy', 1e3, 'kwh'],
  ['energy', 1e6, 'mwh'],
  ['power', 1, 'watt watts'],
  ['power', 1e3, 'kw kilowatts'],
  ['volume', 1e-3, 'ml milliliters'],
  ['volume', 1, 'liter liters litre litres'],
  ['calendar', 1, 'month months'],
  ['calendar', 12, 'year years yr yrs'],
  ['temperature', CELSIUS, 'c celsius centigrade'],
  ['temperature', FAHRENHEIT, 'f fahrenheit'],
]

const UNITS_OF: ReadonlyMap<string, readonly Unit[]> = Map.groupBy(
  UNITS.flatMap(([kind, size, words]) => words.split(' ').map((word) => ({ word, kind, size }))),
  ({ word }) => word,
)

/** Kinds whose base unit needs no word: `amount` is in whole units, `discount` a share of one. */
const UNSPOKEN: ReadonlySet<string> = new Set(['money', 'share'])

const AMOUNTS: ReadonlySet<string> = new Set(
  'amt amount price prc cost fee total tot tax balance bal discount disc payment pmt refund value val'.split(
    ' ',
  ),
)

/** Returns the units that a name says. A letter after an amount is short for cents: `amt_c`. */
function unitsIn(words: readonly string[]): readonly Unit[] {
  if (/^(?:c|ct|cts)$/.test(words.at(-1) ?? '') && AMOUNTS.has(words.at(-2) ?? ''))
    return [{ kind: 'money', size: 0.01 }]
  return words.flatMap((word, index) =>
    word.length > 3 || index === words.length - 1 || /^(?:usd|eur|gbp|pct|bps)$/.test(word)
      ? (UNITS_OF.get(word) ?? [])
      : [],
  )
}

/** Returns true if a word can be a unit, so that a conversion may add or remove it. */
export function isUnitWord(word: string): boolean {
  return UNITS_OF.has(word) || word === 'units' || word === 'unit'
}

/** Kinds of which a new name may drop the unit: whole money and shares need none, nor does a moment. */
const DROPPED: ReadonlySet<string> = new Set([...UNSPOKEN, 'time', 'bytes', 'decimal bytes'])

/** Returns true if a unit of a raw name may be missing in a new one, which says another of its kind instead. */
export function mayBeDropped(word: string, words: readonly string[]): boolean {
  const kinds = new Set((UNITS_OF.get(word) ?? []).map(({ kind }) => kind))
  if ([...kinds].some((kind) => DROPPED.has(kind)) || /^units?$/.test(word)) return true
  return words.some((other) => other !== word && UNITS_OF.get(other)?.some(({ kind }) => kinds.has(kind)))
}

/** Returns the seconds in the unit of time that words say; undefined without one, or if there are several. */
export function secondsIn(words: readonly string[]): number | undefined {
  const sizes = new Set(unitsIn(words).flatMap(({ kind, size }) => (kind === 'time' ? size : [])))
  return sizes.size === 1 ? [...sizes][0] : undefined
}

/** The words about a value before and after it is converted. */
export interface UnitWords {
  readonly raw: readonly string[]
  readonly comment: readonly string[]
  readonly staged: readonly string[]
}

/**
 * Returns true if multiplying by a factor turns the unit that the raw name or the comment says into the one that the
 * staged name says.
 */
export function isConverted(factor: number, { comment, raw, staged }: UnitWords): boolean {
  const said = unitsIn(raw).filter(
    ({ size, kind }) => !(kind === 'share' && size === 1) && kind !== 'temperature',
  )
  const from = said.length > 0 ? said : unitsOfComment(comment)
  const to = unitsIn(staged)
  return from.some(({ kind, size }) => {
    if (kind === 'temperature') return false
    const targets = to.filter((unit) => unit.kind === kind).map((unit) => unit.size)
    const wanted = targets.length > 0 ? targets : UNSPOKEN.has(kind) ? [1] : []
    return wanted.some((target) => isNear(factor, size / target))
  })
}

/** Returns true if a staged name says a unit that neither the raw name nor the comment says. */
export function inventsUnit({ comment, raw, staged }: UnitWords): boolean {
  const said = [...unitsIn(raw), ...unitsOfComment(comment)]
  const given = unitsIn(staged).filter(
    ({ kind }) => !UNSPOKEN.has(kind) || said.some((one) => one.kind === kind),
  )
  const isSaid = given.some(({ kind, size }) => said.some((one) => one.kind === kind && one.size === size))
  return given.length > 0 && !isSaid && !(staged.length > 0 && staged.every((word) => raw.includes(word)))
}

/** Returns true if numbers are degrees of another scale: 212 °F as 100 °C. */
export function isOtherScale(
  pairs: readonly (readonly [before: number, after: number])[],
  { comment, raw, staged }: UnitWords,
): boolean {
  const own = unitsIn(raw).some(({ kind }) => kind === 'temperature') ? unitsIn(raw) : unitsOfComment(comment)
  const [from] = own.flatMap(({ kind, size }) => (kind === 'temperature' ? size : []))
  const [to] = unitsIn(staged).flatMap(({ kind, size }) => (kind === 'temperature' ? size : []))
  if (from === undefined || to === undefined || from === to) return false
  const convert = (degrees: number): number =>
    from === FAHRENHEIT ? ((degrees - 32) * 5) / 9 : (degrees * 9) / 5 + 32
  return pairs.every(([before, after]) => isNear(after, convert(before)))
}

/** A comment that says two units of a kind says none: `in dollars, not in cents`. */
function unitsOfComment(words: readonly string[]): readonly Unit[] {
  const units = words.flatMap((word) => (word.length > 2 || word === 'ms' ? (UNITS_OF.get(word) ?? []) : []))
  return units.filter(({ kind, size }) => units.every((other) => other.kind !== kind || other.size === size))
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * 1e-6
}
