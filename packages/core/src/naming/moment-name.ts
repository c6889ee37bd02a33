import { PAST_FORMS } from './irregular.ts'
import { COMING_WORDS, DATE_WORDS, MADE_WORDS, TIME_WORDS } from './rules.ts'
import { isParticiple } from './states.ts'

/** The words that give way to `_at` and `_date`: none that already tells a time, or every one. */
export type TimeNaming = 'keep' | 'suffix'

/**
 * The name of a moment: `created` and `date_created` are `created_at`. A name that tells a time in its own
 * words stays: `close_date`, `current_period_end`, `event_ts`.
 */
export function nameMoment(words: readonly string[], mode: TimeNaming): readonly string[] {
  if (words.slice(1).includes('at')) return words
  return mode === 'suffix' ? [...momentStem(words), 'at'] : keptMoment(words)
}

function keptMoment(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? ''
  if (words.length > 1 && words[0] === 'date') return turned(words)
  if (isParticiple(last) || COMING_WORDS.has(last)) return [...words, 'at']
  if (last !== 'time' || words.length < 2) return words
  const stem = words.slice(0, -1)
  const made = MADE_WORDS[stem.at(-1) ?? '']
  return made === undefined ? words : [...stem.slice(0, -1), made, 'at']
}

/** `date_created` says what happened last; `date_of_issue` is a phrase. */
function turned(words: readonly string[]): readonly string[] {
  const rest = words.slice(words[1] === 'time' ? 2 : 1)
  const last = rest.at(-1) ?? ''
  if (isParticiple(last)) return [...rest, 'at']
  return words[1] === 'time' ? words : dateLast(words)
}

/** The name of a day: `date_ordered` is `ordered_date`; what already names a day or a month stays. */
export function nameDay(words: readonly string[], mode: TimeNaming): readonly string[] {
  if (words.length > 1 && words[0] === 'date') return dateLast(words)
  const last = words.at(-1) ?? ''
  if (mode === 'suffix' && words.length > 1 && ['dt', 'on'].includes(last))
    return [...words.slice(0, -1), 'date']
  if (DATE_WORDS.has(last) || words.some((word) => DATE_WORDS.has(word) && word !== 'to')) return words
  return isParticiple(last) ? [...words, 'date'] : words
}

const PHRASE_WORDS: ReadonlySet<string> = new Set(
  'for from id in key of on range string time to type'.split(' '),
)

function dateLast(words: readonly string[]): readonly string[] {
  const rest = words.slice(1)
  return rest.some((word) => word.length < 2 || PHRASE_WORDS.has(word)) ? words : [...rest, 'date']
}

/** Ends of a span, and states that last: no past form is theirs. */
const SPANS: ReadonlySet<string> = new Set(['begin', 'end', 'since', 'start', 'until'])

/** The words without those at either end that only say that this is a time. */
function momentStem(words: readonly string[]): readonly string[] {
  const isTime = (word: string): boolean => TIME_WORDS.has(word)
  const end = words.findLastIndex((word) => !isTime(word)) + 1
  const start = words.findIndex((word) => !isTime(word))
  if (start < 0) return words
  const stem = words.slice(start, end)
  const last = stem.at(-1) ?? ''
  const past = SPANS.has(last) || !Object.hasOwn(PAST_FORMS, last) ? last : (PAST_FORMS[last] ?? last)
  return [...stem.slice(0, -1), past]
}
