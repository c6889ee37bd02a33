import { isKnownWord, spellingsOf } from '@stagecraft/core/run'
import { compareText } from '@stagecraft/spec'
import type { Evidence } from './observations.ts'
import { type Candidate, missesOf, type Search } from './search.ts'

/** Returns replaced words: `cust` → `customer`. */
interface Replacement {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly place: 'start' | 'middle' | 'end' | 'whole'
}

/** The number of candidates in one round. */
const MOST = 60

/** The longest sequence of words that the glossary replaces. */
const LONGEST = 3

/** Returns replacements of words in misnamed columns, most evidence first. */
export function glossaryCandidates(search: Search): readonly Candidate[] {
  const found = new Map<
    string,
    {
      readonly candidate: Candidate
      readonly words: string
      readonly isWhole: boolean
      readonly groups: Set<number>
      readonly stored: Set<string>
    }
  >()
  for (const { name, observation } of missesOf(search))
    for (const { candidate, isWhole, words } of [
      ...moved(name, observation.given),
      ...cut(name, observation.given),
      ...candidatesIn(difference(name, observation.given)),
    ]) {
      const key = JSON.stringify(candidate.config)
      const one = found.get(key) ?? {
        candidate,
        words,
        isWhole,
        groups: new Set<number>(),
        stored: new Set<string>(),
      }
      one.groups.add(observation.group)
      one.stored.add(observation.stored.toLowerCase())
      found.set(key, one)
    }
  return [...found]
    .filter(([, { candidate, groups, isWhole, stored }]) =>
      candidate.isClear ? true : isWhole ? groups.size > 1 : stored.size > 1,
    )
    .toSorted(
      ([a, one], [b, other]) =>
        lengthOf(one.candidate) - lengthOf(other.candidate) ||
        other.groups.size - one.groups.size ||
        other.stored.size - one.stored.size ||
        compareText(a, b),
    )
    .slice(0, MOST)
    .map(([, { candidate, groups, words }]) => ({
      ...candidate,
      witnesses: groups,
      isPartial: true,
      concerns: withLetters(words, search.evidence),
    }))
}

/**
 * Returns the columns with these letters in their own name or their table's, since the glossary applies to entities
 * too.
 */
function withLetters(letters: string, { models }: Evidence): NonNullable<Candidate['concerns']> {
  const has = (name: string): boolean =>
    name
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '')
      .includes(letters)
  const tables = new Set(models.flatMap(({ identifier }, place) => (has(identifier) ? [place] : [])))
  return ({ place, stored }) => tables.has(place) || has(stored)
}

/** Single words come before sequences, so sequences only cover the rest. */
function lengthOf({ config }: Candidate): number {
  return Math.max(...Object.keys(config.naming?.glossary ?? {}).map((key) => key.split('_').length), 1)
}

/** Returns the differing words of two names, without common first and last words; as pairs if the counts match. */
function difference(name: string, given: string): readonly Replacement[] {
  const [from, to] = [name.split('_'), given.split('_')]
  let start = 0
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++
  let end = 0
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++
  const [own, other] = [from.slice(start, from.length - end), to.slice(start, to.length - end)]
  const placeOf = (first: number, length: number): Replacement['place'] => {
    if (first === 0 && length === from.length) return 'whole'
    if (first === 0) return 'start'
    return first + length === from.length ? 'end' : 'middle'
  }
  if (own.length === 0 && end === 0) return [appended(from, other)]
  const whole = { from: own, to: other, place: placeOf(start, own.length) }
  if (own.length !== other.length || own.length === 1) return [whole]
  const pairs = own.flatMap((word, index) =>
    word === other[index]
      ? []
      : [{ from: [word], to: [other[index] ?? ''], place: placeOf(start + index, 1) }],
  )
  return [...pairs, whole]
}

/** Returns a word that changes its end: `created_at` for `date_created`, `id_customer` for `customer_id`. */
function moved(name: string, given: string): readonly WordCandidate[] {
  const [from, to] = [name.split('_'), given.split('_')]
  if (from.length !== to.length || from.length < 2) return []
  const [first = '', last = ''] = [from[0], from.at(-1)]
  const [opening = '', ending = ''] = [to[0], to.at(-1)]
  const ways: readonly (readonly [string, string, string])[] = [
    ...(isSame(from.slice(1), to.slice(0, -1)) ? [[first, `${first}_*`, `*_${ending}`] as const] : []),
    ...(isSame(from.slice(0, -1), to.slice(1)) ? [[last, `*_${last}`, `${opening}_*`] as const] : []),
  ]
  return ways.map(([words, stored, pattern]) => ({
    candidate: {
      config: { naming: { renames: { [stored]: pattern } } },
      text: `\`${stored}\` becomes \`${pattern}\``,
    },
    words,
    isWhole: false,
  }))
}

/** Returns the words that a person cut out of a run-together name: `kit` of `kitflag`, each by itself. */
function cut(name: string, given: string): readonly WordCandidate[] {
  if (name.replaceAll('_', '') !== given.replaceAll('_', '')) return []
  const known = new Set(name.split('_'))
  const words = given.split('_')
  const isCut = words.length > known.size
  const found = words.filter((word) => /^[a-z]{2,}$/.test(word) && !known.has(word) && !isKnownWord(word))
  return found.map((word) => ({
    candidate: {
      config: { naming: { words: [word] } },
      text: `\`${word}\` is a word of its own`,
      ...(isCut && word.length > 2 && { isClear: true }),
    },
    words: word,
    isWhole: false,
  }))
}

function isSame(words: readonly string[], others: readonly string[]): boolean {
  return words.join('_') === others.join('_')
}

/** An extra word at the end: `price_usd` for `price`. */
function appended(from: readonly string[], added: readonly string[]): Replacement {
  const last = from.slice(-1)
  return { from: last, to: [...last, ...added], place: 'end' }
}

interface WordCandidate {
  readonly candidate: Candidate
  /** The letters that it replaces. */
  readonly words: string
  /** True if it replaces the whole name; a part must occur in two names. */
  readonly isWhole: boolean
}

function candidatesIn(replacements: readonly Replacement[]): readonly WordCandidate[] {
  return replacements.flatMap((replacement) =>
    candidatesFor(replacement).map((candidate) => ({
      candidate,
      words: replacement.from.join(''),
      isWhole: replacement.place === 'whole',
    })),
  )
}

function candidatesFor({ from, place, to }: Replacement): readonly Candidate[] {
  const [before, after] = [from.join('_'), to.join('_')]
  if (before === '' || from.length > LONGEST) return []
  if (to.length === 0) return dropped(before, place)
  if (to.length > LONGEST) return []
  const glossary = {
    config: { naming: { glossary: { [before]: after } } },
    text: `the word \`${before}\` becomes \`${after}\``,
    ...(isAbbreviation(from, to) && { isClear: true }),
  }
  const words = from.length === 1 && from[0] === to.join('') ? [splitting(to)] : []
  // what is appended to some names does not belong to the word, which entities have too
  const isAppended = to.length > from.length && isSame(to.slice(0, from.length), from)
  // a whole name that becomes several words says what this column is, not what the word means
  const isRename = place === 'whole' && from.length === 1 && to.length > 1 && glossary.isClear !== true
  return [...words, ...(isAppended || isRename ? [] : [glossary]), ...starred(before, after, place)]
}

/** Returns true for letters of a longer word in their order, `amt` of `amount`, and for first letters of several words. */
function isAbbreviation([short = '', ...others]: readonly string[], to: readonly string[]): boolean {
  const [long = ''] = to
  if (others.length > 0 || short.length < 2 || !/^[a-z]+$/.test(short)) return false
  if (to.length > 1) return to.map((word) => word[0]).join('') === short
  if (spellingsOf(short).has(long)) return true
  const isInside = new RegExp(`^${short.replaceAll(/(?<=.)/g, '.*')}`).test(long)
  return isInside && long.length >= short.length + MISSING && !isKnownWord(short)
}

/** The letters that an abbreviation lacks at least; `ship` of `shipped` is another form of the word. */
const MISSING = 3

function splitting(words: readonly string[]): Candidate {
  return {
    config: { naming: { words: [...words].toSorted(compareText) } },
    text: `\`${words.join('')}\` is written \`${words.join('_')}\``,
  }
}

function dropped(word: string, place: Replacement['place']): readonly Candidate[] {
  if (place === 'end')
    return [
      {
        config: { naming: { renames: { [`*_${word}`]: '*' } } },
        text: `\`_${word}\` is removed from the end of column names`,
      },
    ]
  if (place === 'start')
    return [
      {
        config: { naming: { renames: { [`${word}_*`]: '*' } } },
        text: `\`${word}_\` is removed from the start of column names`,
      },
    ]
  return []
}

/** The same only at an end of the name: `created_at` is `created_on`, but `at_risk` stays. */
function starred(before: string, after: string, place: Replacement['place']): readonly Candidate[] {
  if (place === 'end')
    return [
      {
        config: { naming: { renames: { [`*_${before}`]: `*_${after}` } } },
        text: `\`_${before}\` at the end becomes \`_${after}\``,
      },
    ]
  if (place === 'start')
    return [
      {
        config: { naming: { renames: { [`${before}_*`]: `${after}_*` } } },
        text: `\`${before}_\` at the start becomes \`${after}_\``,
      },
    ]
  return []
}
