import type { TriedNames } from '@stagecraft/core/run'
import type { Config } from '@stagecraft/spec'
import { mergeConfig } from './merge-config.ts'
import type { Evidence, Observation } from './observations.ts'

/** Candidate entries of a configuration for the column names of a project. */
export interface Candidate {
  readonly config: Config
  /** A sentence for people: "times end in `_ts`". */
  readonly text: string
  /**
   * The groups of models that it was read from: what it says of a model counts for it only where another group says so too.
   * @default it is one of a fixed set of choices, read from no model
   */
  readonly witnesses?: ReadonlySet<number>
  /** True if a name that gets closer to the written one counts as a win. @default only exact matches */
  readonly isPartial?: boolean
  /** True if one column is evidence enough, as for an abbreviation that it spells out. @default false */
  readonly isClear?: boolean
  /** Returns true if it may apply to a column. @default it may apply to all */
  readonly concerns?: (observation: Observation) => boolean
}

/** The state of a search for the configuration that explains most names. */
export interface Search {
  readonly evidence: Evidence
  /** The user's configuration, which learned entries never contradict. */
  readonly fixed: Config
  readonly learned: Config
  readonly accepted: readonly Candidate[]
  /** The name of each observed column, in the order of observations. */
  readonly names: readonly string[]
}

export function startSearch(evidence: Evidence, fixed: Config): Search {
  return { evidence, fixed, learned: {}, accepted: [], names: nameAll(evidence, fixed) }
}

/** Names every observed column. */
export function nameAll(evidence: Evidence, config: Config): readonly string[] {
  return nameSome(evidence, config, () => undefined)
}

/** Names the observed columns that have no name yet. */
function nameSome(
  { observations, trial }: Evidence,
  config: Config,
  known: (observation: Observation, index: number) => string | undefined,
): readonly string[] {
  const tables = new Map<number, TriedNames>()
  return observations.map((observation, index) => {
    const { place, stored } = observation
    const name = known(observation, index)
    if (name !== undefined) return name
    const table = tables.get(place) ?? trial.name(place, config)
    tables.set(place, table)
    return table.column(stored)
  })
}

/** The effect of a candidate: columns, of which nearly equal tables count as one. */
export interface Effect {
  /** Names that become right, with evidence beyond their own group. */
  readonly wins: number
  readonly losses: number
  /** Groups with wins. */
  readonly groups: number
  /** All names that become right. */
  readonly allWins: number
  /** The names of each source that become right, and those that become wrong. */
  readonly sources: ReadonlyMap<string, { readonly wins: number; readonly losses: number }>
}

/** Measures the effect of accepting a candidate. */
function measure(search: Search, candidate: Candidate): Effect & { readonly names: readonly string[] } {
  const { evidence, names: before } = search
  const config = combine(search, candidate)
  const { concerns = () => true } = candidate
  const names = nameSome(evidence, config, (observation, index) =>
    concerns(observation) ? undefined : before[index],
  )
  const [wins, allWins, losses] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const sources = new Map<string, { wins: number; losses: number }>()
  const groups = new Set<number>()
  for (const [index, observation] of evidence.observations.entries()) {
    const { given, group, place, stored } = observation
    if (names[index] === before[index]) continue
    const key = `${group} ${stored.toLowerCase()}`
    const schema = evidence.models[place]?.schema ?? ''
    const source = sources.get(schema) ?? { wins: 0, losses: 0 }
    sources.set(schema, source)
    const gain = gainOf([before[index] ?? '', names[index] ?? ''], given, candidate)
    if (gain < 0) {
      losses.add(key)
      source.losses++
    } else if (gain > 0) {
      allWins.add(key)
      source.wins++
      if (!isWitnessed(candidate, group)) continue
      wins.add(key)
      groups.add(group)
    }
  }
  return { wins: wins.size, losses: losses.size, groups: groups.size, allWins: allWins.size, sources, names }
}

interface Measured {
  readonly candidate: Candidate
  readonly effect: ReturnType<typeof measure>
}

/** The share of models that one source must have to decide how others name. */
const MOST = 2 / 3

/**
 * Measures a candidate. What one source does applies to that source if another contradicts it. A convention of a source
 * without most models does too; the meaning of a word is the same everywhere.
 */
function measureScoped(search: Search, candidate: Candidate): Measured {
  const effect = measure(search, candidate)
  const sources = [...effect.sources]
  const [schema, ...others] = sources.flatMap(([one, { wins }]) => (wins > 0 ? [one] : []))
  const { concerns = () => true, config, text } = candidate
  if (schema === undefined || others.length > 0 || !config.naming) return { candidate, effect }
  const { models } = search.evidence
  const own = models.filter((model) => model.schema === schema).length
  const isDenied = sources.some(([other, { losses }]) => losses > 0 && other !== schema)
  const { glossary, renames = {}, words } = config.naming
  const isWhole = Object.keys(renames).some((stored) => !stored.includes('*'))
  const isWord = glossary !== undefined || isWhole
  // the words of a source would replace those of the project
  if (words !== undefined) return { candidate, effect }
  if (own === models.length || !(isDenied || (!isWord && own <= models.length * MOST)))
    return { candidate, effect }
  const scoped: Candidate = {
    ...candidate,
    config: { sources: { [schema]: { naming: config.naming } } },
    text: `${text}, in \`${schema}\``,
    concerns: (observation) => models[observation.place]?.schema === schema && concerns(observation),
  }
  return { candidate: scoped, effect: measure(search, scoped) }
}

function gainOf(
  [before, after]: readonly [string, string],
  given: string,
  { isPartial = false }: Candidate,
): number {
  if (isPartial) return distance(before, given) - distance(after, given)
  return Number(after === given) - Number(before === given)
}

/** Counts the words between the common first and last words of two names. */
function distance(name: string, given: string): number {
  const [own, other] = [name.split('_'), given.split('_')]
  while (own.length > 0 && own[0] === other[0]) [own, other].forEach((words) => words.shift())
  while (own.length > 0 && own.at(-1) === other.at(-1)) [own, other].forEach((words) => words.pop())
  return Math.max(own.length, other.length)
}

/** Returns true if another group supports the candidate. */
function isWitnessed({ witnesses }: Candidate, group: number): boolean {
  return witnesses === undefined || [...witnesses].some((other) => other !== group)
}

function combine({ fixed, learned }: Search, { config }: Candidate): Config {
  return mergeConfig(mergeConfig(learned, config), fixed)
}

/** Returns true if held-out models support a candidate: it wins in several places, and far more than it loses. */
export function isCarried({ groups, losses, wins }: Effect): boolean {
  return wins - losses >= 2 && groups >= 2 && wins >= 1.5 * losses
}

/** Accepts a candidate. */
export function accept(search: Search, candidate: Candidate, names?: readonly string[]): Search {
  return {
    ...search,
    learned: mergeConfig(search.learned, candidate.config),
    accepted: [...search.accepted, candidate],
    names: names ?? measure(search, candidate).names,
  }
}

/** Accepts the best candidate, if it is supported. */
export function acceptBest(
  search: Search,
  candidates: readonly Candidate[],
  isGood: (effect: Effect, candidate: Candidate) => boolean = isCarried,
): Search {
  const measured = candidates
    .map((candidate) => measureScoped(search, candidate))
    .filter(({ candidate, effect }) => isGood(effect, candidate))
    .toSorted((a, b) => b.effect.wins - b.effect.losses - (a.effect.wins - a.effect.losses))
  const [best] = measured
  return best ? accept(search, best.candidate, best.effect.names) : search
}

/** Accepts all supported candidates, one by one. */
export function acceptEach(
  search: Search,
  candidates: readonly Candidate[],
  isGood: (effect: Effect, candidate: Candidate) => boolean = isCarried,
): Search {
  return candidates.reduce((state, one) => {
    const { candidate, effect } = measureScoped(state, one)
    return isGood(effect, candidate) ? accept(state, candidate, effect.names) : state
  }, search)
}

/** An observed column with another name than a person wrote. */
export interface Miss {
  readonly observation: Observation
  /** Its current name. */
  readonly name: string
}

export function missesOf({ evidence, names }: Search): readonly Miss[] {
  return evidence.observations.flatMap((observation, index) => {
    const name = names[index] ?? ''
    return name === observation.given ? [] : [{ observation, name }]
  })
}

/** Counts observed columns with the names that people gave. */
export function hitsOf(search: Search): number {
  return search.evidence.observations.length - missesOf(search).length
}
