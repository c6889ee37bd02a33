import { isCountable, isKnownPlural } from './numbers.ts'
import { COMMANDS, FLAG_WORDS, STATE_OPENINGS, STATEMENT_WORDS, STATES, VERBS } from './rules.ts'
import { isParticiple } from './states.ts'

/**
 * The name of a boolean: `active` and `active_flag` are `is_active`. Only one word that is plainly a state or a kind of
 * thing gets `is_`, and a thing to which something was done; statements, verbs, plurals and longer descriptions
 * (`taxable`, `verified_email`) stay, and nothing gets `has_`.
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
