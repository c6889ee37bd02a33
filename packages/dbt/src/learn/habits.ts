import type { Config } from '@stagecraft/spec'
import { compareText } from '@stagecraft/spec'

/** The evidence for a rule: the cases in which it holds, among those to which it applies. */
export interface Support {
  readonly holds: number
  readonly of: number
  readonly unit: 'columns' | 'models' | 'sources' | 'tables'
}

/** A habit of most models. */
export interface Habit {
  /** The matching entries of `stagecraft.yml`; empty if there is no such setting. */
  readonly config: Config
  /** A sentence for people. */
  readonly text: string
  readonly support: Support
  /** The models that follow it in every place, among those that it concerns; for habits of sources, the sources. */
  readonly models: Pick<Support, 'holds' | 'of'>
  /** Up to three files that follow it. */
  readonly examples: readonly string[]
  /** Exceptions: `models/stg_a.sql: {source}.yml`. */
  readonly exceptions: readonly string[]
}

/** The vote of one model; undefined if its habit is unclear, which counts against every habit. */
export interface Vote {
  readonly path: string
  readonly value: string | undefined
}

/** The number of files that show a habit. */
export const EXAMPLES = 3

/** The share of models that makes a habit. Below it, projects mix two styles. */
const SHARE = 0.8

/** The fewest models that make a habit: two others then confirm each of them. */
const FEWEST = 3

type Told = Pick<Habit, 'config' | 'text'> & { readonly unit?: Support['unit'] }

/** Returns the habit that votes show; undefined if they disagree or are too few. */
export function agreed(votes: readonly Vote[], tell: (value: string) => Told): readonly Habit[] {
  const counted = [...Map.groupBy(votes, ({ value }) => value)]
    .flatMap(([value, of]) => (value === undefined ? [] : [{ value, count: of.length }]))
    .toSorted((a, b) => b.count - a.count || compareText(a.value, b.value))
  const [best] = counted
  if (!best) return []
  const { unit = 'models', ...told } = tell(best.value)
  const fewest = unit === 'sources' ? 1 : FEWEST
  if (best.count < fewest || best.count < votes.length * SHARE) return []
  const counts = { holds: best.count, of: votes.length }
  return [
    {
      ...told,
      support: { ...counts, unit },
      models: counts,
      examples: votes.flatMap(({ path, value }) => (value === best.value ? [path] : [])).slice(0, EXAMPLES),
      exceptions: votes.flatMap(({ path, value }) =>
        value === best.value ? [] : [value === undefined || value === '' ? path : `${path}: ${value}`],
      ),
    },
  ]
}
