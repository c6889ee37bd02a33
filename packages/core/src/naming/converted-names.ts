import type { Conversion } from '@stagecraft/spec'
import { CENT_WORDS, DATE_WORDS, EPOCH_WORDS, SPANS, TIME_WORDS, UNIT_OPENINGS, UNIT_WORDS } from './rules.ts'

/**
 * Returns the name of a converted value without words that are no longer true: `amount_cents` after conversion to
 * whole units, `created_epoch` after conversion to a timestamp. A name without other words stays.
 */
export function nameConverted(words: readonly string[], conversion: Conversion): readonly string[] {
  if (conversion === 'cents') return withoutCents(words)
  if (!conversion.startsWith('epoch_')) return words
  const left = withoutEpoch(words, conversion)
  const isUnitAlone = left.every((word) => EPOCH_WORDS.has(word))
  return left.length === words.length || isUnitAlone ? words : asMoment(left)
}

/**
 * Returns true if one name states the unit of its numbers and the other does not: `amount` for `amount_cents`,
 * `created_at` for `created_epoch`. Such a rename is wrong unless the values are converted.
 */
export function losesUnit(from: readonly string[], to: readonly string[]): boolean {
  const saysUnit = (words: readonly string[], conversion: Conversion): boolean =>
    nameConverted(words, conversion).join('_') !== words.join('_')
  return (['cents', 'epoch_seconds'] as const).some(
    (conversion) => saysUnit(from, conversion) && !saysUnit(to, conversion),
  )
}

/** `amount_in_cents`, `cents_amount` and `total_cents_usd`: the word is false wherever it stands. */
function withoutCents(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => CENT_WORDS.has(word))
  if (at >= 0) return without(words, at, 1)
  const minor = words.findIndex((word, index) => word === 'minor' && /^units?$/.test(words[index + 1] ?? ''))
  if (minor >= 0) return without(words, minor, 2)
  return words.at(-1) === 'minor' ? without(words, words.length - 1, 1) : words
}

/** Units of time stand last, `epoch` and `unix` anywhere: `created_unix_ms`, `epoch_created`. */
function withoutEpoch(words: readonly string[], conversion: Conversion): readonly string[] {
  const last = words.at(-1) ?? ''
  // `us` is a country as well
  const isUnit = UNIT_WORDS.has(last) || (last === 'us' && conversion === 'epoch_microseconds')
  const bare = isUnit ? without(words, words.length - 1, 1) : words
  const at = bare.findIndex((word) => EPOCH_WORDS.has(word))
  const left = at < 0 ? bare : without(bare, at, 1)
  return left.length === words.length ? words : withoutEpoch(left, conversion)
}

/** Returns the words without some of them and a preceding `in`; all of them if nothing would remain. */
function without(words: readonly string[], at: number, count: number): readonly string[] {
  const start = UNIT_OPENINGS.has(words[at - 1] ?? '') ? at - 1 : at
  const left = [...words.slice(0, start), ...words.slice(at + count)]
  const isName = left.some((word) => /[a-z]/.test(word)) && !/^\d/.test(left[0] ?? '')
  return isName ? left : words
}

/** The unit showed that this is a time; without it, `login` would not look like one. */
function asMoment(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? ''
  const isTime = words[0] === 'date' || [DATE_WORDS, SPANS, TIME_WORDS].some((list) => list.has(last))
  return isTime ? words : [...words, 'at']
}
