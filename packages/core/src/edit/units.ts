import { CENT_WORDS } from '../naming/rules.ts'

/** A unit of measure: how much of the base unit of its kind one is. */
interface Unit {
  readonly kind: string
  readonly size: number
}

/** Units by kind. Short words are units only at the end of a name: `us` is a country, `min` a minimum. */
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
  const said = unitsIn(raw).filter(({ size, kind }) => !(kind === 'share' && size === 1))
  const from = said.length > 0 ? said : unitsOfComment(comment)
  const to = unitsIn(staged)
  return from.some(({ kind, size }) => {
    const targets = to.filter((unit) => unit.kind === kind).map((unit) => unit.size)
    const wanted = targets.length > 0 ? targets : UNSPOKEN.has(kind) ? [1] : []
    return wanted.some((target) => isNear(factor, size / target))
  })
}

/** A comment that says two units of a kind says none: `in dollars, not in cents`. */
function unitsOfComment(words: readonly string[]): readonly Unit[] {
  const units = words.flatMap((word) => (word.length > 2 || word === 'ms' ? (UNITS_OF.get(word) ?? []) : []))
  return units.filter(({ kind, size }) => units.every((other) => other.kind !== kind || other.size === size))
}

export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * 1e-6
}
