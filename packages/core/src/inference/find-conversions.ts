import type { Conversion } from '@stagecraft/spec'
import { EPOCH_WORDS, UNIT_WORDS } from '../naming/rules.ts'
import { saysYesOrNo } from '../sql/types.ts'
import * as words from './fact-words.ts'
import type { Finding, ProfiledColumn } from './finding.ts'
import type { SubjectColumn } from './read-subjects.ts'

/** Returns the meaning of the raw values if all of them agree with it. */
export function findConversion(column: ProfiledColumn): Finding | undefined {
  return yesOrNo(column) ?? epoch(column) ?? dateText(column) ?? cents(column)
}

const PAIRS: readonly (readonly [string, string])[] = [
  ['y', 'n'],
  ['t', 'f'],
  ['yes', 'no'],
  ['true', 'false'],
]

function yesOrNo({ filled, kind, name, profile: { values } }: ProfiledColumn): Finding | undefined {
  if (!values || values.length === 0 || values.length > 2 || filled < 10) return undefined
  const texts = values.map(({ value }) => String(value).trim().toLowerCase())
  const isNamed = saysYesOrNo(name)
  const isPair = PAIRS.some((pair) => texts.every((text) => pair.includes(text)))
  const isText = kind === 'text' && isPair && (values.length === 2 || isNamed)
  const isNumber = isNamed && values.length === 2 && texts.every((text) => text === '0' || text === '1')
  if (!isText && !isNumber) return undefined
  return conversion('boolean', isText ? 'yes_and_no' : 'flag_of_0_and_1', isText ? 0.97 : 0.95)
}

/** 1990 to 2100, in seconds since 1970. */
const EPOCH_FROM = 631_152_000
const EPOCH_TO = 4_102_444_800
const EPOCH_UNITS = { epoch_seconds: 1, epoch_milliseconds: 1_000, epoch_microseconds: 1_000_000 } as const
const EPOCHS = ['epoch_seconds', 'epoch_milliseconds', 'epoch_microseconds'] as const

function epoch(column: ProfiledColumn): Finding | undefined {
  const { distinct = 0 } = column.profile
  const as = column.kind === 'number' && distinct > 1 ? readEpoch(column) : undefined
  return as && conversion(as, 'moment_as_number', 0.93)
}

/**
 * Returns the unit of a number that is a time by its name and its bounds. Bounds alone are not enough: ids of some
 * services are in the same range.
 */
export function readEpoch({
  profile,
  words: { ending, words: all },
}: Pick<SubjectColumn, 'profile' | 'words'>): keyof typeof EPOCH_UNITS | undefined {
  const { max, min } = profile ?? {}
  const isNamed = ending === '' && saysMoment(all)
  if (!isNamed || typeof min !== 'number' || typeof max !== 'number') return undefined
  return EPOCHS.find((as) => min >= EPOCH_FROM * EPOCH_UNITS[as] && max <= EPOCH_TO * EPOCH_UNITS[as])
}

/** Returns true for `updated`, `created_at`, and with a unit for `updated_ms` and `seen_at_us`. */
function saysMoment(all: readonly string[]): boolean {
  const last = all.at(-1) ?? ''
  const hasUnit = all.length > 1 && (UNIT_WORDS.has(last) || last === 'us')
  const word = hasUnit ? (all.at(-2) ?? '') : last
  return words.MOMENT_WORDS.has(word) || EPOCH_WORDS.has(word)
}

function dateText({
  filled,
  kind,
  profile: { dates, distinct = 0, patterns },
  words: { ending },
}: ProfiledColumn): Finding | undefined {
  const all = DAY_FORMS.filter((form) => filled > 0 && dates?.[form] === filled)
  const [as] = all
  const isNumberOfKey = kind !== 'text' && ending !== ''
  if (as && all.length === 1 && !isNumberOfKey) return conversion(as, 'values_of_days', 0.95)
  if (kind !== 'text' || distinct < 10) return undefined
  return patterns?.timestamp === filled ? conversion('timestamp', 'text_of_moments', 0.95) : undefined
}

const DAY_FORMS = ['date', 'date_day_first', 'date_month_first', 'date_yyyymmdd'] as const

/** Finds days that are valid with either order of day and month, because no part is above 12. */
export function findAmbiguousDays({ filled, profile: { dates } }: ProfiledColumn): Finding | undefined {
  const { date_day_first: dayFirst, date_month_first: monthFirst } = dates ?? {}
  if (filled === 0 || dayFirst !== filled || monthFirst !== filled) return undefined
  return { fact: { kind: 'day_or_month' }, rule: 'no_part_above_12', confidence: 0.95 }
}

/** Amounts in whole units and in hundredths look alike: only the name distinguishes them. */
function cents({ kind, words: { words: all } }: ProfiledColumn): Finding | undefined {
  const isNamed = kind === 'number' && all.some((word) => word === 'cent')
  return isNamed ? conversion('cents', 'called_cents', 0.9) : undefined
}

function conversion(as: Conversion, rule: string, confidence: number): Finding {
  return { fact: { kind: 'conversion', as }, rule, confidence }
}
