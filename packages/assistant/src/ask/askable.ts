import { layerOf } from '@stagecraft/dbt'
import { cleanText } from '../clean-text.ts'
import type { ProjectView } from '../project-view.ts'
import { columnsOf } from '../resources.ts'
import { INTENTS } from './intents.ts'

/** Questions about sets, one of each sort. */
const ASKABLE_SETS = [
  'which models have no tests?',
  'which staging models are not documented?',
  'which sources are unused?',
  'how many incremental models have more than 2 tests?',
  'which models do not depend on fct_orders?',
  'which models are read by more than one model?',
  'which models have no primary key test?',
  'which tests have severity warn?',
]

/** Questions that can be asked, one of each kind. */
export const ASKABLE: readonly string[] = [...ASKABLE_SETS, ...INTENTS.map(({ example }) => example)]

/** Most examples in a refusal. */
const MOST_EXAMPLES = 6
/** Most sources that are searched for a column to name. */
const MOST_SOURCES = 20

export interface ExampleOptions {
  /** The question that is refused, which is no example. */
  readonly question: string
  /** An example of the form that the question had. @default none */
  readonly nearest?: string | undefined
  readonly isAskable: (question: string) => boolean
}

/** Returns a few questions that the project can answer, with its own names, those of the asked form first. */
export function examplesFor(
  view: ProjectView,
  { isAskable, nearest, question }: ExampleOptions,
): readonly string[] {
  const names = namesOf(view)
  const candidates = new Set([
    ...(nearest === undefined ? [] : [nearest]),
    ...ASKABLE_SETS.slice(0, 2),
    ...INTENTS.map(({ example }) => example),
  ])
  const found: string[] = []
  for (const candidate of candidates) {
    const example = withNames(candidate, names)
    if (example === undefined || plain(example) === plain(question) || !isAskable(example)) continue
    found.push(example)
    if (found.length === MOST_EXAMPLES) break
  }
  return found
}

function plain(question: string): string {
  return question
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_.]+/gu, ' ')
    .replace(/[ .]+$/, '')
}

/** The names that examples have, and names of the project that stand for the same. */
function namesOf(view: ProjectView): ReadonlyMap<string, string | undefined> {
  const { nodes } = view.lineage
  const models = nodes.filter(({ kind }) => kind === 'model')
  const sources = nodes.filter(({ kind }) => kind === 'source')
  const ofLayer = (layer: string): string | undefined =>
    models.find(({ id }) => {
      const model = view.models.get(id)
      return model !== undefined && layerOf(model) === layer
    })?.name
  return new Map([
    ['shop.orders.tax', rawColumn(view, sources.slice(0, MOST_SOURCES))],
    ['stg_shop__orders', ofLayer('staging') ?? models[0]?.name],
    ['fct_orders', ofLayer('mart') ?? models.at(-1)?.name],
    ['shop', sources[0]?.name.split('.')[0]],
  ])
}

/** The last column of the first table whose columns are known. */
function rawColumn(view: ProjectView, sources: ProjectView['lineage']['nodes']): string | undefined {
  for (const source of sources) {
    const last = columnsOf(view, source).columns.at(-1)
    if (last) return `${source.name}.${last.name}`
  }
  return undefined
}

const EXAMPLE_NAMES = /shop\.orders\.tax|stg_shop__orders|fct_orders|\bshop\b/

/** An example with names of the project; undefined where the project has nothing of that kind. */
function withNames(example: string, names: ReadonlyMap<string, string | undefined>): string | undefined {
  const [wanted] = EXAMPLE_NAMES.exec(example) ?? []
  if (wanted === undefined) return example
  const name = names.get(wanted)
  return name === undefined ? undefined : example.replace(wanted, () => cleanText(name, 100))
}
