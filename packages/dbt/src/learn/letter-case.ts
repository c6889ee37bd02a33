import { toSnakeCase } from '@stagecraft/core/run'
import type { Config } from '@stagecraft/spec'
import { EXAMPLES, type Habit } from './habits.ts'
import { mergeConfig } from './merge-config.ts'
import type { StagingModel } from './read-staging.ts'

/** How people join the words of names: `accountName`, `AccountName`. */
type LetterCase = 'camel' | 'pascal'

/** The share of names of several words that must be joined. */
const SHARE = 0.8

/** The fewest models whose names are joined. */
const FEWEST = 2

/** Returns the case that the configuration sets, else the one in which people write names; undefined for words with `_`. */
export function letterCaseOf(models: readonly StagingModel[], { naming }: Config): LetterCase | undefined {
  if (naming?.columns !== undefined)
    return naming.columns === 'camel' || naming.columns === 'pascal' ? naming.columns : undefined
  const names = models.flatMap(ownNames)
  const joined = names.filter(isJoined)
  const following = models.filter((model) => ownNames(model).some(isJoined))
  if (following.length < FEWEST || joined.length < names.length * SHARE) return undefined
  return joined.filter((name) => /^_*[A-Z]/.test(name)).length * 2 > joined.length ? 'pascal' : 'camel'
}

/** Returns models as if their people wrote words with `_` between them, since rules are about words. */
export function inSnakeCase(models: readonly StagingModel[]): readonly StagingModel[] {
  return models.map((model) => ({
    ...model,
    pairs: model.pairs.map((pair) => ({ ...pair, name: toSnakeCase(pair.written) })),
  }))
}

/** Returns the configuration for models in snake case. */
export function withoutLetterCase(config: Config): Config {
  return mergeConfig(config, { naming: { columns: 'snake' } })
}

export function letterCaseHabit(models: readonly StagingModel[], columns: LetterCase): Habit {
  const named = models.flatMap(({ model: { path }, pairs }) => {
    const names = pairs.map(({ written }) => written).filter(hasWords)
    return names.length === 0 ? [] : [{ path, names, wrong: names.filter((name) => !isJoined(name)) }]
  })
  const following = named.filter(({ wrong }) => wrong.length === 0)
  const of = named.flatMap(({ names }) => names).length
  const exceptions = named.flatMap(({ path, wrong }) => wrong.map((name) => `${path}: ${name}`))
  return {
    config: { naming: { columns } },
    text: `columns are written in \`${columns === 'camel' ? 'camelCase' : 'PascalCase'}\``,
    support: { holds: of - exceptions.length, of, unit: 'columns' },
    models: { holds: following.length, of: named.length },
    examples: following.slice(0, EXAMPLES).map(({ path }) => path),
    exceptions,
  }
}

/** Returns the names of several words that are not the stored ones, which tell nothing of their people. */
function ownNames({ pairs }: StagingModel): readonly string[] {
  return pairs.flatMap(({ raw, written }) => (written === raw ? [] : [written])).filter(hasWords)
}

function hasWords(name: string): boolean {
  return isJoined(name) || /[A-Za-z0-9]_+[A-Za-z]/.test(name)
}

function isJoined(name: string): boolean {
  return /[a-z0-9][A-Z]/.test(name) && !/[A-Za-z0-9]_+[A-Za-z]/.test(name)
}
