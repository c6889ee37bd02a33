import type { TriedNames } from '@stagecraft/core/run'
import { compareText } from '@stagecraft/spec'
import { mergeConfig } from './merge-config.ts'
import { entitiesOf } from './mine-patterns.ts'
import type { Evidence, Observation } from './observations.ts'
import { type Candidate, missesOf, type Search } from './search.ts'
import { withPlaceholder } from './templates.ts'

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
export function templatesOf(search: Search): ReadonlyMap<string, readonly Template[]> {
  const { evidence } = search
  const reader = readerOf(search)
  return new Map(
    [...Map.groupBy(evidence.observations, ({ stored }) => stored.toLowerCase())].map(([stored, own]) => [
      stored,
      own.map((observation) => templateOf(observation, evidence, reader)),
    ]),
  )
}

/**
 * Returns patterns of names with a common last word that no rule explains: `*_date` is `{entity}_*_on` where days are
 * stored as text, so the pattern for days does not apply to them.
 */
export function endingCandidates(search: Search): readonly Candidate[] {
  const { evidence, names } = search
  const reader = readerOf(search)
  const counts = new Map<string, Set<number>>()
  for (const [index, observation] of evidence.observations.entries()) {
    const [, stem = '', ending = ''] =
      /^([a-z0-9_]*[a-z0-9])_([a-z]+)$/.exec(observation.stored.toLowerCase()) ?? []
    if (names[index] === observation.given || stem === '') continue
    const { pattern } = templateOf(observation, evidence, reader)
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
  /** True for a name of one word, besides `id`, which takes its meaning from its table. */
  readonly isShort: boolean
}

/** Reads templates under the rules that were learned so far. */
interface TemplateReader {
  readonly entities: ReadonlyMap<number, string>
  readonly names: (place: number) => TriedNames
}

function readerOf(search: Search): TemplateReader {
  const config = mergeConfig(search.learned, search.fixed)
  const tables = new Map<number, TriedNames>()
  return {
    entities: entitiesOf(search),
    names(place) {
      const table = tables.get(place) ?? search.evidence.trial.name(place, config)
      tables.set(place, table)
      return table
    },
  }
}

function templateOf(
  { given, group, place, stored }: Observation,
  evidence: Evidence,
  { entities, names }: TemplateReader,
): Template {
  const pattern = withPlaceholder(given, stored, entities.get(place) ?? '')
  const words = names(place)
    .column(stored)
    .split('_')
    .filter((word) => word !== '' && word !== 'id')
  const isShort = words.length === 1
  return { pattern, group, place, schema: evidence.models[place]?.schema ?? '', isShort }
}

function renamesOf(
  stored: string,
  templates: readonly Template[],
  scope: 'project' | 'source',
): readonly RenameCandidate[] {
  const bySchema = [...Map.groupBy(templates, ({ schema }) => schema)].toSorted(([a], [b]) =>
    compareText(a, b),
  )
  const common = majority(templates)
  const others = bySchema.filter(([, own]) => majority(own)?.pattern !== common?.pattern)
  const isCommon = others.length === 0 || bySchema.length - others.length >= Math.max(2, others.length * 2)
  const whole = common && isCommon && scope === 'project' ? [renameOf(stored, common)] : []
  const own = whole.length === 0 ? bySchema : others
  return [
    ...whole,
    ...own.flatMap(([schema, templatesOfOne]) => {
      const best = majority(templatesOfOne)
      return best ? [renameOf(stored, best, schema)] : []
    }),
  ]
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
