import type { TriedNames } from '@stagecraft/core/run'
import type { Config, Naming } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'
import { mergeConfig } from './merge-config.ts'
import type { Observation } from './observations.ts'
import { type Candidate, missesOf, type Search } from './search.ts'

type PatternKind = keyof NonNullable<Naming['patterns']>

const KINDS: Readonly<Record<PatternKind, (observation: Observation) => boolean>> = {
  id: ({ stored }) => /^_?id$/i.test(stored),
  reference: ({ stored }) => /[a-z0-9]_?id$/i.test(stored) && !/^_?id$/i.test(stored),
  boolean: ({ family }) => family === 'boolean',
  timestamp: ({ family }) => family.startsWith('timestamp'),
  date: ({ family }) => family === 'date',
  default: ({ family, stored }) =>
    !/^_?id$/i.test(stored) && family !== 'boolean' && family !== 'date' && !family.startsWith('timestamp'),
}

const WORDS: Readonly<Record<PatternKind, string>> = {
  id: "the table's own `id` is",
  reference: 'references are',
  boolean: 'booleans are',
  timestamp: 'times are',
  date: 'days are',
  default: 'columns are',
}

/** The most patterns to try for one kind of column. */
const MOST = 8

/** Returns patterns in the first and last words of names of one kind of column. */
export function affixCandidates(search: Search, kind: PatternKind): readonly Candidate[] {
  const { evidence } = search
  const entities = entitiesOf(search)
  const counts = new Map<string, Set<number>>()
  for (const observation of evidence.observations.filter(KINDS[kind]))
    for (const pattern of patternsIn(observation, kind, entities.get(observation.place) ?? '')) {
      const groups = counts.get(pattern) ?? new Set<number>()
      counts.set(pattern, groups.add(observation.group))
    }
  const patterns = [...counts]
    .filter(([, groups]) => groups.size > 1)
    .toSorted(([a, of], [b, other]) => other.size - of.size || compareText(a, b))
    .slice(0, MOST)
  return patterns.flatMap(([pattern, witnesses]) => candidatesFor(kind, pattern, witnesses))
}

function candidatesFor(
  kind: PatternKind,
  pattern: string,
  witnesses: ReadonlySet<number>,
): readonly Candidate[] {
  const text = `${WORDS[kind]} \`${pattern}\``
  const patterns: Naming = { patterns: { [kind]: pattern } }
  const concerns = kind === 'default' || kind === 'id' ? {} : { concerns: KINDS[kind] }
  const one = (naming: Naming): Candidate => ({ config: { naming }, text, witnesses, ...concerns })
  if (kind === 'timestamp')
    return [one({ timestamps: 'suffix', ...patterns }), one({ timestamps: 'keep', ...patterns })]
  if (kind === 'date') return [one({ dates: 'suffix', ...patterns }), one({ dates: 'keep', ...patterns })]
  return [one(patterns)]
}

function patternsIn({ given, stored }: Observation, kind: PatternKind, entity: string): readonly string[] {
  const isOpened = entity !== '' && given.startsWith(`${entity}_`)
  const rest = isOpened ? given.slice(entity.length + 1) : given
  const opening = isOpened && !stored.toLowerCase().startsWith(entity.replaceAll('_', '')) ? '{entity}_' : ''
  if (kind === 'id') return isOpened ? [`{entity}_${rest}`] : [given]
  if (kind === 'default') return opening === '' ? [] : ['{entity}_{name}']
  const words = rest.split('_')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length < 2) return opening === '' ? [] : [`${opening}{name}`]
  return [
    `${opening}{name}_${last}`,
    ...(words.length > 2 ? [`${opening}{name}_${words.slice(-2).join('_')}`] : []),
    ...(kind === 'reference' ? [] : [`${opening}${first}_{name}`]),
    ...(opening === '' ? [] : [`${opening}{name}`]),
  ]
}

function entitiesOf({ evidence, fixed, learned }: Search): ReadonlyMap<number, string> {
  const config = mergeConfig(learned, fixed)
  return new Map(evidence.models.map((_, place) => [place, evidence.trial.name(place, config).entity]))
}

/** Returns rules that derive the entity from a table name, best first; none if the preset's rule is as good. */
export function entityCandidates(search: Search): readonly Candidate[] {
  const { evidence, fixed, learned } = search
  const bare = mergeConfig(mergeConfig(withoutPatterns(learned), { naming: { ids: false } }), fixed)
  const written = evidence.models.flatMap((model, place) => {
    const names = evidence.trial.name(place, bare)
    const own = evidence.observations.filter((one) => one.place === place)
    const entity = writtenEntity(own, names)
    return entity === undefined ? [] : [{ place, entity, model }]
  })
  const rightUnder = (naming: Naming): number => {
    const config = mergeConfig(mergeConfig(learned, { naming }), fixed)
    return written.filter(({ entity, place }) => evidence.trial.name(place, config).entity === entity).length
  }
  const base = rightUnder({})
  const tables = evidence.models.map(({ identifier }) => identifier.toLowerCase())
  const dropped =
    learned.naming?.tablePrefixes ??
    PRESET_PREFIXES.filter((one) => tables.some((name) => name.startsWith(one)))
  const rules: readonly Naming[] = [
    ...tablePrefixes(tables).map((prefix) => ({ tablePrefixes: [...dropped, prefix] })),
    ...ENTITY_PATTERNS.map((pattern) => ({ entityFrom: [pattern] })),
  ]
  return rules
    .map((rule) => ({ rule, right: rightUnder(rule) }))
    .filter(({ right }) => right - base >= 2 && right >= written.length * 0.5)
    .toSorted((a, b) => b.right - a.right)
    .map(({ rule }) => ({ config: { naming: rule }, text: entityText(rule) }))
}

function entityText({ entityFrom, tablePrefixes: prefixes = [] }: Naming): string {
  const show = (patterns: readonly string[]): string => patterns.map((one) => `\`${one}\``).join(' and ')
  return entityFrom ? `the entity is ${show(entityFrom)} of the table` : `tables lose ${show(prefixes)}`
}

/** The prefixes that are removed from table names by default. */
const PRESET_PREFIXES = ['raw_', 'src_']

const ENTITY_PATTERNS = [
  '*_{entity}',
  '{word}_{entity}',
  '{word}_{word}_{entity}',
  '*__{entity}',
  '{entity}_{word}',
]

function withoutPatterns({ naming: { patterns: _, ...naming } = {}, ...config }: Config): Config {
  return { ...config, naming }
}

/**
 * Returns the entity in the names of a model: before its own `id`, else before most columns.
 *
 * @param names The names without any rule for ids.
 */
function writtenEntity(observations: readonly Observation[], names: TriedNames): string | undefined {
  const own = observations.find(({ stored }) => /^_?id$/.test(names.column(stored)))
  const key = own && /^(.+)_[a-z]+$/.exec(own.given)?.[1]
  if (key !== undefined) return key
  const counts = new Map<string, number>()
  for (const { given, stored } of observations) {
    const raw = stored.toLowerCase()
    if (!given.endsWith(`_${raw}`)) continue
    const opening = given.slice(0, -raw.length - 1)
    counts.set(opening, (counts.get(opening) ?? 0) + 1)
  }
  const [best] = [...counts].toSorted(([a, n], [b, m]) => m - n || compareText(a, b))
  return best && best[1] > 1 ? best[0] : undefined
}

/** Returns prefixes that several table names share. */
function tablePrefixes(tables: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const table of tables)
    for (const { index } of table.matchAll(/_+/g)) {
      const prefix = /^.*?_+(?=[^_]|$)/.exec(table.slice(index))?.[0] ?? '_'
      const whole = table.slice(0, index) + prefix
      counts.set(whole, (counts.get(whole) ?? 0) + 1)
    }
  return [...counts]
    .filter(([prefix, count]) => count > 2 && !prefix.startsWith('_'))
    .toSorted(([a, n], [b, m]) => m - n || compareText(a, b))
    .slice(0, 8)
    .map(([prefix]) => prefix)
}

/** Returns prefixes that are removed from columns. */
export function prefixCandidates(search: Search): readonly Candidate[] {
  const counts = new Map<string, Set<number>>()
  for (const { name, observation } of missesOf(search)) {
    if (!name.endsWith(observation.given) || name === observation.given) continue
    const prefix = name.slice(0, -observation.given.length)
    if (!prefix.endsWith('_')) continue
    counts.set(prefix, (counts.get(prefix) ?? new Set()).add(observation.group))
  }
  const fixedOnes = [...counts]
    .filter(([, groups]) => groups.size > 1)
    .toSorted(([a, of], [b, other]) => other.size - of.size || compareText(a, b))
    .slice(0, MOST)
  const prefixes: readonly (readonly [string, ReadonlySet<number> | undefined])[] = [
    ...fixedOnes,
    ['{shared}_', undefined],
    ['{entity}_', undefined],
  ]
  const lost = search.learned.naming?.columnPrefixes ?? []
  return prefixes.map(([prefix, witnesses]) => ({
    config: { naming: { columnPrefixes: [...lost, prefix] } },
    text: `columns lose \`${prefix}\``,
    ...(witnesses && { witnesses }),
  }))
}
