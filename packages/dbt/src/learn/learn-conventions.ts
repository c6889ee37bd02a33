import { isDeepStrictEqual } from 'node:util'
import { fillConfig } from '@stagecraft/core/run'
import { DIALECTS } from '@stagecraft/dialects'
import type { Config, DialectName, Table } from '@stagecraft/spec'
import type { IndexedSource } from '../project/project-index.ts'
import { EXAMPLES, type Habit } from './habits.ts'
import { inSnakeCase, letterCaseHabit, letterCaseOf, withoutLetterCase } from './letter-case.ts'
import { learnLayout } from './learn-layout.ts'
import { learnShape } from './learn-shape.ts'
import { configAt, entriesOf, mergeConfig, valueAt, WORDS } from './merge-config.ts'
import { learnNames } from './learn-names.ts'
import { gatherEvidence } from './observations.ts'
import {
  type ReadableProject,
  readStagingModels,
  type ReadStagingOptions,
  type SkippedModel,
  sourceNames,
  type StagingModel,
} from './read-staging.ts'
import { type Candidate, hitsOf, nameAll, type Search, startSearch } from './search.ts'

export interface LearnOptions {
  /** The warehouse of the project. */
  readonly dialect: DialectName
  /** The configuration of the project, which is not learned again. @default none */
  readonly config?: Config
}

/** A convention that the models of a project follow. */
export interface LearnedRule extends Habit {
  /** The entries of `stagecraft.yml` that say so: `naming.patterns.timestamp`. Empty without such a setting. */
  readonly keys: readonly string[]
  /** False if the preset or the configuration already say so. */
  readonly isNew: boolean
}

/** The conventions of a project. */
export interface Conventions {
  /** In the order of learning: general ones first. */
  readonly rules: readonly LearnedRule[]
  /** The rules as entries of `stagecraft.yml`. */
  readonly config: Config
  /** Models that were learned from. */
  readonly models: number
  /** Columns of these models whose raw column is known. */
  readonly columns: number
  /** Columns named as people did, by the configuration alone and with learned rules. */
  readonly named: { readonly before: number; readonly after: number }
  /** Models from which nothing was learned, and why. */
  readonly skipped: readonly SkippedModel[]
}

/**
 * Learns the conventions of a project from its staging models.
 *
 * @param tables The known tables of the warehouse; their types show times, days and flags.
 */
export async function learnConventions(
  project: ReadableProject,
  tables: readonly Table[],
  options: LearnOptions & Omit<ReadStagingOptions, 'syntax'>,
): Promise<Conventions> {
  const syntax = DIALECTS[options.dialect]
  const { models, skipped } = await readStagingModels(project, { ...options, syntax, tables })
  return { ...learnFromModels(models, tables, options, project.index.sources), skipped }
}

/**
 * Learns from parsed models.
 *
 * @param sources The places of source declarations. @default unknown, and not learned
 */
export function learnFromModels(
  models: readonly StagingModel[],
  tables: readonly Table[],
  { config = {}, dialect }: LearnOptions,
  sources: readonly IndexedSource[] = [],
): Conventions {
  const letterCase = letterCaseOf(models, config)
  const given = mergeConfig(sourceNames(models), config)
  const fixed = letterCase ? withoutLetterCase(given) : given
  const read = letterCase ? inSnakeCase(models) : models
  const evidence = gatherEvidence(read, tables, { config: fixed, dialect: DIALECTS[dialect] })
  const search = learnNames(evidence, fixed)
  const named = mergeConfig(search.learned, fixed)
  const habits = [...learnLayout(evidence, sources, named), ...learnShape(evidence, tables)]
  const isFollowed = letterCase === undefined || letterCase === config.naming?.columns
  const rules = [
    ...(letterCase ? [letterCaseHabit(models, letterCase)] : []),
    ...search.accepted.map((one) => supportOf(search, one)),
    ...habits,
  ].map((habit) => toRule(habit, config))
  return {
    rules,
    config: rules.reduce<Config>((all, rule) => (rule.isNew ? mergeConfig(all, rule.config) : all), {}),
    models: models.length,
    columns: evidence.observations.length,
    named: { before: hitsBefore(startSearch(evidence, fixed), isFollowed), after: hitsOf(search) },
    skipped: [],
  }
}

/** Counts the names that the configuration gives; in a case that it does not set, only those of one word. */
function hitsBefore(start: Search, isFollowed: boolean): number {
  if (isFollowed) return hitsOf(start)
  const { evidence, names } = start
  return evidence.observations.filter(({ given }, index) => given === names[index] && !given.includes('_'))
    .length
}

/** Removes entries that the user's configuration decides, and defaults. */
function toRule(habit: Habit, config: Config): LearnedRule {
  const defaults = fillConfig({ ...(config.preset && { preset: config.preset }) })
  const open = entriesOf(habit.config).filter(
    ([path, value]) => isOpen(path, value, config) && !isDeepStrictEqual(valueAt(defaults, path), value),
  )
  return {
    ...habit,
    config: open.reduce<Config>((all, [path, value]) => mergeConfig(all, configAt(path, value)), {}),
    keys: entriesOf(habit.config).map(([path]) => path.join('.')),
    isNew: open.length > 0,
  }
}

/** Returns true for an entry that the configuration does not decide; words are added to those that it has. */
function isOpen(path: readonly string[], value: unknown, config: Config): boolean {
  const present = valueAt(config, path)
  if (path.at(-1) !== WORDS || !Array.isArray(present) || !Array.isArray(value)) return present === undefined
  return value.some((word) => !present.includes(word))
}

/** Counts the columns that a rule decides, which would have another name without it. */
function supportOf(search: Search, candidate: Candidate): Habit {
  const { accepted, evidence, fixed, names } = search
  const without = accepted
    .filter((one) => one !== candidate)
    .reduce<Config>((all, one) => mergeConfig(all, one.config), {})
  const others = nameAll(evidence, mergeConfig(without, fixed))
  const decided = evidence.observations.flatMap((observation, index) =>
    names[index] === others[index] ? [] : [{ observation, name: names[index] ?? '' }],
  )
  const wrong = decided.filter(({ name, observation }) => name !== observation.given)
  const failing = new Set(wrong.map(({ observation }) => observation.place))
  const places = [...new Set(decided.map(({ observation }) => observation.place))]
  const following = places.filter((place) => !failing.has(place))
  return {
    config: candidate.config,
    text: candidate.text,
    support: { holds: decided.length - wrong.length, of: decided.length, unit: 'columns' },
    models: { holds: following.length, of: places.length },
    examples: following.slice(0, EXAMPLES).map((place) => evidence.models[place]?.model.path ?? ''),
    exceptions: wrong.map(
      ({ name, observation: { given, place, stored } }) =>
        `${evidence.models[place]?.model.path ?? ''}: ${stored} is ${given}, not ${name}`,
    ),
  }
}
