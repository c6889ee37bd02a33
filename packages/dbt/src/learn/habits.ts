import type { Config } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'

/** The evidence for a rule: how much of what it applies to it holds for. */
export interface Support {
  readonly holds: number
  readonly of: number
  readonly unit: 'columns' | 'models' | 'sources' | 'tables'
}

/** Something that most models do. */
export interface Habit {
  /** The entries of `stagecraft.yml` that say so; empty where no setting does. */
  readonly config: Config
  /** A sentence for people. */
  readonly text: string
  readonly support: Support
  /** What does otherwise: `models/stg_a.sql: {source}.yml`. */
  readonly exceptions: readonly string[]
}

/** What one model does; undefined where it cannot be told, which speaks against every habit. */
export interface Vote {
  readonly path: string
  readonly value: string | undefined
}

/** The share of models that make a habit: below it, projects mix two ways. */
const SHARE = 0.8

/** The fewest models that make one: each of them is then foretold by two others. */
const FEWEST = 3

type Told = Pick<Habit, 'config' | 'text'> & { readonly unit?: Support['unit'] }

/** Returns the habit that votes show; none where they disagree or are too few. */
export function agreed(votes: readonly Vote[], tell: (value: string) => Told): readonly Habit[] {
  const counted = [...Map.groupBy(votes, ({ value }) => value)]
    .flatMap(([value, of]) => (value === undefined ? [] : [{ value, count: of.length }]))
    .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
  const [best] = counted
  if (!best) return []
  const { unit = 'models', ...told } = tell(best.value)
  const fewest = unit === 'sources' ? 1 : FEWEST
  if (best.count < fewest || best.count < votes.length * SHARE) return []
  return [
    {
      ...told,
      support: { holds: best.count, of: votes.length, unit },
      exceptions: votes.flatMap(({ path, value }) =>
        value === best.value ? [] : [value === undefined || value === '' ? path : `${path}: ${value}`],
      ),
    },
  ]
}
