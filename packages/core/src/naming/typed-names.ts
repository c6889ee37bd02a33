import { isCountable, isKnownPlural } from './entity.ts'
import { PAST_FORMS } from './irregular.ts'
import {
  COMING_WORDS,
  COMMANDS,
  DATE_WORDS,
  FLAG_WORDS,
  NO_STATES,
  SPANS,
  STATEMENT_WORDS,
  STATES,
  STATE_OPENINGS,
  TIME_WORDS,
  VERBS,
} from './rules.ts'

/** Returns true if the word names a state: `active`, `verified`, `taxable`. */
export function isState(word: string): boolean {
  return STATES.has(word) || isParticiple(word) || /[a-z]{3}[ai]ble$/.test(word)
}

const IRREGULAR: ReadonlySet<string> = new Set(
  'built bought done given hidden known lost made paid read seen sent shown sold spent taken won written'.split(
    ' ',
  ),
)

/** Returns true if the word is a past participle: `created`, `sent`. */
function isParticiple(word: string): boolean {
  return IRREGULAR.has(word) || (/[a-z]{2}ed$/.test(word) && !NO_STATES.has(word))
}

/**
 * Returns the name of a boolean: `active` and `active_flag` are `is_active`. Only a single word for a state or a kind
 * of thing gets `is_`, or a noun with a participle; statements, verbs, plurals and longer descriptions (`taxable`,
 * `verified_email`) stay, and no name gets `has_`.
 */
export function nameFlag(words: readonly string[]): readonly string[] {
  const known = words.filter(Boolean)
  if (known.length < words.length || known.some((word) => STATEMENT_WORDS.has(word))) return words
  const isFlag = known.length > 1 && FLAG_WORDS.has(known.at(-1) ?? '')
  const bare = isFlag ? known.slice(0, -1) : known
  if (bare.some((word) => isKnownPlural(word)) || isVerb(bare)) return words
  return readsAsState(bare) || (isFlag && bare.length === 1) ? ['is', ...bare] : words
}

/**
 * A verb comes first or last: `skip_charge`, `note_notify`. `test` and `open` are states as well, and in
 * `email_verified` the email is a thing.
 */
function isVerb(words: readonly string[]): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (isDoneTo(words)) return false
  return [first, last].some((word) => isBareVerb(word) || isBareVerb(word.replace(/s$/, '')))
}

function isBareVerb(word: string): boolean {
  return VERBS.has(word) && !STATES.has(word)
}

function readsAsState(words: readonly string[]): boolean {
  const [first = '', ...others] = words
  if (others.length === 0) return STATES.has(first) || isParticiple(first) || isCountable(first)
  return STATE_OPENINGS.has(first) || isDoneTo(words)
}

/** `email_verified` and `2fa_enabled`, but not `show_archived`. */
function isDoneTo(words: readonly string[]): boolean {
  const [thing = '', done = ''] = words
  const isThing = (isCountable(thing) && !COMMANDS.has(thing)) || /[0-9]/.test(thing)
  return words.length === 2 && isThing && isParticiple(done)
}

/** The words that `_at` and `_date` replace: all words for a time, or none. */
type TimeNaming = 'keep' | 'suffix'

/**
 * Returns the name of a moment: `created` is `created_at`. A name that tells a time in its own words stays:
 * `close_date`, `date_created`, `current_period_end`, `event_ts`. So does one that opens with an underscore, which
 * marks a pipeline's own column: `_batched`.
 */
export function nameMoment(words: readonly string[], mode: TimeNaming): readonly string[] {
  if (words.slice(1).includes('at')) return words
  return mode === 'suffix' ? [...momentStem(words), 'at'] : nameByAction(words)
}

function nameByAction(words: readonly string[]): readonly string[] {
  if (words[0] === '' || words.some((word) => TIME_WORDS.has(word))) return words
  const last = words.at(-1) ?? ''
  return isParticiple(last) || COMING_WORDS.has(last) ? [...words, 'at'] : words
}

/**
 * Returns the name of a day: `ordered` is `ordered_date`; what already names a day or a month stays: `date_ordered`.
 */
export function nameDay(words: readonly string[], mode: TimeNaming): readonly string[] {
  const last = words.at(-1) ?? ''
  if (mode === 'suffix' && words.length > 1 && words[0] === 'date') return dateLast(words)
  if (mode === 'suffix' && words.length > 1 && ['at', 'dt', 'on'].includes(last))
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

/** Returns the words without those at either end that only mark a time. */
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
