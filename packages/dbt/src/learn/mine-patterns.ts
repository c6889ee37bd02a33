import type { TriedNames } from '@stagecraft/core/run'
import type { Config, Naming } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'
import { mergeConfig } from './merge-config.ts'
import type { Observation } from './observations.ts'
import { type Candidate, missesOf, type Search } from './search.ts'
import { withPlaceholder } from './templates.ts'

type PatternKind = keyof NonNullable<Naming['patterns']>

const KINDS: Readonly<Record<PatternKind, (observation: Observation, entity: string) => boolean>> = {
  id: isOwnId,
  reference: (observation, entity) =>
    /[a-z0-9]_?id$/i.test(observation.stored) && !isOwnId(observation, entity),
  boolean: ({ family }) => family === 'boolean',
  timestamp: ({ family }) => family.startsWith('timestamp'),
  date: ({ family }) => family === 'date',
  default: ({ family, stored }) =>
    !/^_?id$/i.test(stored) && family !== 'boolean' && family !== 'date' && !family.startsWith('timestamp'),
}

/** Returns true for the table's own key: `id`, or `customer_id` of customers. */
function isOwnId({ stored }: Observation, entity: string): boolean {
  const letters = stored.toLowerCase().replaceAll('_', '')
  return letters === 'id' || letters === `${entity.replaceAll('_', '')}id`
}

const WORDS: Readonly<Record<PatternKind, string>> = {
  id: 'the key of a table is called',
  reference: 'foreign keys are called',
  boolean: 'booleans are called',
  timestamp: 'timestamps are called',
  date: 'dates are called',
  default: 'columns are called',
}

/** The most patterns to try for one kind of column. */
const MOST = 8

/** Returns patterns in the first and last words of names of one kind of column. */
export function affixCandidates(search: Search, kind: PatternKind): readonly Candidate[] {
  const { evidence } = search
  const entities = entitiesOf(search)
  const counts = new Map<string, Set<number>>()
  for (const observation of evidence.observations) {
    const entity = entities.get(observation.place) ?? ''
    if (!KINDS[kind](observation, entity)) continue
    for (const pattern of patternsIn(observation, kind, entity))
      counts.set(pattern, (counts.get(pattern) ?? new Set()).add(observation.group))
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
  const isKind = (observation: Observation): boolean => KINDS[kind](observation, '')
  const concerns = kind === 'default' || kind === 'id' ? {} : { concerns: isKind }
  const one = (naming: Naming): Candidate => ({ config: { naming }, text, witnesses, ...concerns })
  if (kind === 'timestamp')
    return [one({ timestamps: 'suffix', ...patterns }), one({ timestamps: 'keep', ...patterns })]
  if (kind === 'date') return [one({ dates: 'suffix', ...patterns }), one({ dates: 'keep', ...patterns })]
  return [one(patterns)]
}

function patternsIn({ given, stored }: Observation, kind: PatternKind, entity: string): readonly string[] {
  if (kind === 'id') return [withPlaceholder(given, stored, entity, 'own')]
  const template = withPlaceholder(given, stored, entity)
  const [, opening = '', rest = '', closing = ''] = /^(\{entity\}_)?(.*?)(_\{entity\})?$/.exec(template) ?? []
  const whole = opening === '' && closing === '' ? [] : [`${opening}{name}${closing}`]
  if (kind === 'default') return whole
  const words = rest.split('_')
  const isEvent = words.at(-2)?.endsWith('ed') === true
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length < 2) return whole
  return [
    `${opening}{name}_${last}${closing}`,
    ...(words.length > 2 && !isEvent ? [`${opening}{name}_${words.slice(-2).join('_')}${closing}`] : []),
    `${opening}${first}_{name}${closing}`,
    ...whole,
  ]
}

/** Returns the entity of each model: as people wrote it in the names of its columns, else by the rules. */
export function entitiesOf(search: Search): ReadonlyMap<number, string> {
  const { evidence, fixed, learned } = search
  const config = mergeConfig(learned, fixed)
  const written = new Map(writtenEntities(search).map(({ entity, place }) => [place, entity]))
  return new Map(
    evidence.models.map((_, place) => [
      place,
      written.get(place) ?? evidence.trial.name(place, config).entity,
    ]),
  )
}

interface WrittenEntity {
  readonly place: number
  readonly entity: string
}

function writtenEntities({ evidence, fixed, learned }: Search): readonly WrittenEntity[] {
  const bare = mergeConfig(mergeConfig(withoutPatterns(learned), { naming: { ids: false } }), fixed)
  const byPlace = Map.groupBy(evidence.observations, ({ place }) => place)
  const observed = evidence.models.map(({ identifier }, place) => {
    const own = byPlace.get(place) ?? []
    return { place, own, key: keyOf(own, identifier, evidence.trial.name(place, bare)) }
  })
  const affix = keyAffix(observed.flatMap(({ key }) => key ?? []))
  return observed.flatMap(({ key, own, place }) => {
    const entity = writtenEntity(own, key, affix)
    return entity === undefined ? [] : [{ place, entity }]
  })
}

/** Returns rules that derive the entity from a table name, best first; none if the preset's rule is as good. */
export function entityCandidates(search: Search): readonly Candidate[] {
  const { evidence, fixed, learned } = search
  const written = writtenEntities(search)
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
  return entityFrom
    ? `table names have the entity as in ${show(entityFrom)}`
    : `${show(prefixes)} is removed from table names`
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

/** What people named the key of a table. */
interface NamedKey {
  readonly given: string
  /** The letters of the table in the name of the key: `customer` of `customer_id`. Empty for a plain `id`. */
  readonly stem: string
}

/** Returns the table's own key: `id`, or the column that is called after the table. */
function keyOf(observations: readonly Observation[], table: string, names: TriedNames): NamedKey | undefined {
  const own = observations.find(({ stored }) => /^_?id$/.test(names.column(stored)))
  if (own) return { given: own.given, stem: '' }
  const letters = lettersOf(table).replace(/s$/, '')
  const named = observations.flatMap(({ given, stored }) => {
    const stem = /^(.{3,})id$/.exec(lettersOf(stored))?.[1]
    return stem !== undefined && letters.endsWith(stem.replace(/s$/, '')) ? [{ given, stem }] : []
  })
  return named.toSorted((a, b) => b.stem.length - a.stem.length)[0]
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Returns the affix of keys, `_id` or `pk_`, which most of them share. */
function keyAffix(keys: readonly NamedKey[]): { readonly word: string; readonly isFirst: boolean } {
  const counts = new Map<string, number>()
  const count = (affix: string): unknown => counts.set(affix, (counts.get(affix) ?? 0) + 1)
  for (const { given } of keys) {
    const words = given.split('_').filter(Boolean)
    if (words.length > 1) [`_${words.at(-1) ?? ''}`, `${words[0] ?? ''}_`].forEach(count)
  }
  const [best = '_id'] = [...counts]
    .toSorted(([a, n], [b, m]) => m - n || compareText(a, b))
    .map(([one]) => one)
  return { word: best.replaceAll('_', ''), isFirst: best.endsWith('_') }
}

/** Returns the entity in the names of a model: beside the affix of its key, else before most columns. */
function writtenEntity(
  observations: readonly Observation[],
  key: NamedKey | undefined,
  { isFirst, word }: ReturnType<typeof keyAffix>,
): string | undefined {
  const words = key?.given.split('_').filter(Boolean) ?? []
  const rest = isFirst ? words.slice(1) : words.slice(0, -1)
  if (rest.length > 0 && (isFirst ? words[0] : words.at(-1)) === word) return rest.join('_')
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
    text: `\`${prefix}\` is removed from column names`,
    ...(witnesses && { witnesses }),
  }))
}
