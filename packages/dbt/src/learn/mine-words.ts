import type { Config } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'
import { mergeConfig } from './merge-config.ts'
import type { Evidence, Observation } from './observations.ts'
import { type Candidate, missesOf, type Search } from './search.ts'
import { withPlaceholder } from './templates.ts'

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
    .filter(([, { groups, isWhole, stored }]) => (isWhole ? groups.size > 1 : stored.size > 1))
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
  if (from.length === 0 || from.length > LONGEST) return []
  if (to.length === 0) return dropped(before, place)
  if (to.length > LONGEST) return []
  const glossary = {
    config: { naming: { glossary: { [before]: after } } },
    text: `the word \`${before}\` becomes \`${after}\``,
  }
  const words = from.length === 1 && from[0] === to.join('') ? [splitting(to)] : []
  return [...words, glossary, ...starred(before, after, place)]
}

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

/** The name of a whole column, which people wrote. */
export interface RenameCandidate extends Candidate {
  /** In lower case. */
  readonly stored: string
  readonly witnesses: ReadonlySet<number>
}

/** Returns whole names that no rule explains: for the project if its sources agree, else for one source. */
export function renameCandidates(
  search: Search,
  scope: 'project' | 'source' = 'project',
): readonly RenameCandidate[] {
  const misses = new Set(missesOf(search).map(({ observation }) => observation.stored.toLowerCase()))
  const templates = templatesOf(search)
  return [...misses]
    .toSorted(compareText)
    .flatMap((stored) => renamesOf(stored, templates.get(stored) ?? [], scope))
}

/** Returns the names that people gave to each stored column, by its name in lower case. */
export function templatesOf({ evidence, fixed, learned }: Search): ReadonlyMap<string, readonly Template[]> {
  const config = mergeConfig(learned, fixed)
  return new Map(
    [...Map.groupBy(evidence.observations, ({ stored }) => stored.toLowerCase())].map(([stored, own]) => [
      stored,
      own.map((observation) => templateOf(observation, evidence, config)),
    ]),
  )
}

/**
 * Returns patterns of names with a common last word that no rule explains: `*_date` is `{entity}_*_on` where days are
 * stored as text, so the pattern for days does not apply to them.
 */
export function endingCandidates({ evidence, fixed, learned, names }: Search): readonly Candidate[] {
  const config = mergeConfig(learned, fixed)
  const counts = new Map<string, Set<number>>()
  for (const [index, observation] of evidence.observations.entries()) {
    const [, stem = '', ending = ''] =
      /^([a-z0-9_]*[a-z0-9])_([a-z]+)$/.exec(observation.stored.toLowerCase()) ?? []
    if (names[index] === observation.given || stem === '') continue
    const { pattern } = templateOf(observation, evidence, config)
    const words = pattern.split(new RegExp(`(?<![a-z0-9])${stem}(?![a-z0-9])`))
    if (words.length !== 2) continue
    const key = JSON.stringify([`*_${ending}`, words.join('*')])
    counts.set(key, (counts.get(key) ?? new Set()).add(observation.group))
  }
  return [...counts]
    .filter(([, groups]) => groups.size > 1)
    .toSorted(([a, of], [b, other]) => other.size - of.size || compareText(a, b))
    .slice(0, MOST_ENDINGS)
    .map(([key, witnesses]) => {
      const [stored = '', pattern = ''] = JSON.parse(key) as readonly string[]
      return {
        config: { naming: { renames: { [stored]: pattern } } },
        text: `\`${stored}\` becomes \`${pattern}\``,
        witnesses,
        concerns: (observation) => observation.stored.toLowerCase().endsWith(stored.slice(1)),
      }
    })
}

const MOST_ENDINGS = 8

/** Returns the name that a person gave a stored column: `{entity}_name` for `name`. */
export interface Template {
  readonly pattern: string
  readonly group: number
  readonly place: number
  readonly schema: string
}

function templateOf(
  { given, group, place, stored }: Observation,
  evidence: Evidence,
  config: Config,
): Template {
  const { entity } = evidence.trial.name(place, config)
  const pattern = withPlaceholder(given, stored, entity)
  return { pattern, group, place, schema: evidence.models[place]?.schema ?? '' }
}

function renamesOf(
  stored: string,
  templates: readonly Template[],
  scope: 'project' | 'source',
): readonly RenameCandidate[] {
  const bySchema = Map.groupBy(templates, ({ schema }) => schema)
  const common = majority(templates)
  const isCommon = [...bySchema.values()].every((own) => majority(own)?.pattern === common?.pattern)
  if (common && isCommon && scope === 'project') return [renameOf(stored, common)]
  return [...bySchema]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([schema, own]) => {
      const best = majority(own)
      return best ? [renameOf(stored, best, schema)] : []
    })
}

interface Majority {
  readonly pattern: string
  readonly groups: ReadonlySet<number>
}

/** The template of most groups, if it has most of them. */
function majority(templates: readonly Template[]): Majority | undefined {
  const groups = new Set(templates.map(({ group }) => group))
  const counted = [...Map.groupBy(templates, ({ pattern }) => pattern)]
    .map(([pattern, of]) => ({ pattern, groups: new Set(of.map(({ group }) => group)) }))
    .toSorted((a, b) => b.groups.size - a.groups.size || compareText(a.pattern, b.pattern))
  const [best] = counted
  return best && best.groups.size * 2 > groups.size ? best : undefined
}

function renameOf(stored: string, { groups, pattern }: Majority, schema?: string): RenameCandidate {
  const naming = { renames: { [stored]: pattern } }
  return {
    config: schema === undefined ? { naming } : { sources: { [schema]: { naming } } },
    text: `\`${stored}\` becomes \`${pattern}\``,
    stored,
    witnesses: groups,
    concerns: (observation) => observation.stored.toLowerCase() === stored,
  }
}
