import { type Entry, lineOfPlace, type LineageNode } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { oncePerView } from '../references.ts'
import { namesIn, relationsIn } from '../tests.ts'
import type { Item } from '../tool.ts'

/** A semantic model, or a model with semantic columns. */
interface SemanticModel {
  readonly item: Item
  /** The ids of its relations: one. */
  readonly reads: readonly string[]
  /** The columns in its entities, dimensions and measures, in lower case. */
  readonly columns: ReadonlySet<string>
  /** The names of its measures and metrics, which metrics are built on. */
  readonly gives: readonly string[]
}

/** Something that is built on metrics. */
interface Dependent {
  readonly item: Item
  /** Measures and metrics. */
  readonly uses: ReadonlySet<string>
  /** The name that others use; undefined for what gives none. */
  readonly gives: string | undefined
}

interface SemanticHarm {
  /** The semantic models that read the relation, or its column. */
  readonly broken: readonly Item[]
  /** Metrics, saved queries and exposures on those, directly or not. */
  readonly below: readonly Item[]
}

/** Returns what breaks in the semantic layer without a relation, or without a column of it. */
export function semanticHarm(view: ProjectView, { id }: LineageNode, column?: string): SemanticHarm {
  const { dependents, models } = semanticLayer(view)
  const broken = models.filter(
    ({ columns, reads }) => reads.includes(id) && (column === undefined || columns.has(column.toLowerCase())),
  )
  const lost = new Set(broken.flatMap(({ gives }) => gives))
  const below = new Map<string, Item>()
  for (const name of lost)
    for (const { gives, item, uses } of dependents) {
      if (!uses.has(name)) continue
      below.set(item.id, item)
      if (gives !== undefined) lost.add(gives)
    }
  return { broken: broken.map(({ item }) => item), below: [...below.values()] }
}

const semanticLayer = oncePerView(
  (view): { readonly models: readonly SemanticModel[]; readonly dependents: readonly Dependent[] } => {
    const entriesOf = (list: string): readonly Entry[] =>
      view.project.properties.flatMap(({ entries }) => entries(list)).filter(isEnabled)
    const models = entriesOf('models').filter((entry) => entry.get('semantic_model') !== undefined)
    return {
      models: [
        ...entriesOf('semantic_models').map((entry) => semanticModel(view, entry)),
        ...models.map((entry) => modelWithSemantics(view, entry)),
      ],
      dependents: [
        ...[...entriesOf('metrics'), ...models.flatMap(({ entries }) => entries('metrics'))].map((entry) => ({
          item: itemOf(view, 'metric', entry),
          uses: namesBelow(METRIC_KEYS.map((key) => entry.get(key))),
          gives: entry.name,
        })),
        ...entriesOf('saved_queries').map((entry) => ({
          item: itemOf(view, 'saved_query', entry),
          uses: namesBelow([entry.get('query_params')]),
          gives: undefined,
        })),
        ...entriesOf('exposures').map((entry) => ({
          item: itemOf(view, 'exposure', entry),
          uses: metricsIn(entry.get('depends_on')),
          gives: undefined,
        })),
      ],
    }
  },
)

function isEnabled(entry: Entry): boolean {
  const own = [entry.get('semantic_model'), entry.get('config')]
  return own.every((value) => Reflect.get(Object(value), 'enabled') !== false)
}

function itemOf({ project }: ProjectView, kind: string, { name, place }: Entry): Item {
  return { id: `${kind}.${name}`, kind, file: place.path, line: lineOfPlace(project, place) }
}

function semanticModel(view: ProjectView, entry: Entry): SemanticModel {
  const parts = ['entities', 'dimensions', 'measures'].flatMap((list) => entry.entries(list))
  const measures = entry.entries('measures').map(({ name }) => name)
  return {
    item: itemOf(view, 'semantic_model', entry),
    reads: relationsIn(view, [entry.get('model')]),
    columns: namesIn(
      view,
      parts.map((part) => textOf(part.get('expr')) ?? part.name),
    ),
    gives: measures,
  }
}

/** A model whose columns are entities and dimensions, and which has metrics of its own. */
function modelWithSemantics(view: ProjectView, entry: Entry): SemanticModel {
  const columns = entry
    .entries('columns')
    .filter((one) => one.get('entity') !== undefined || one.get('dimension') !== undefined)
  const metrics = entry.entries('metrics')
  const derived = Object(entry.get('derived_semantics')) as Readonly<Record<string, unknown>>
  const parts = [derived['entities'], derived['dimensions']].flat()
  return {
    item: itemOf(view, 'semantic_model', entry),
    reads: relationsIn(view, [`ref('${entry.name}')`]),
    columns: namesIn(view, [
      ...columns.map(({ name }) => name),
      ...metrics.map((metric) => metric.get('expr')),
      ...parts.map((part): unknown => Reflect.get(Object(part), 'expr')),
    ]),
    gives: metrics.map(({ name }) => name),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The keys of a metric below which its measures and metrics are named. */
const METRIC_KEYS = ['type_params', 'numerator', 'denominator', 'input_metrics', 'input_metric'] as const

/** Keys with words that name no measure or metric. */
const OTHER_KEYS = new Set(['filter', 'expr', 'alias', 'window', 'where', 'group_by', 'order_by'])

/** Returns the texts in values, those of maps and lists too. */
function namesBelow(values: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') found.add(value)
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) if (!OTHER_KEYS.has(key)) visit(one)
  }
  for (const value of values) visit(value)
  return found
}

/** Returns the names in `metric('revenue')`. */
function metricsIn(listed: unknown): ReadonlySet<string> {
  const texts = [listed].flat().filter((one): one is string => typeof one === 'string')
  return new Set(texts.flatMap((text) => /^\s*metric\(\s*['"]([^'"]+)['"]/.exec(text)?.[1] ?? []))
}
