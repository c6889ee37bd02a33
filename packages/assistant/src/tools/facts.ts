import {
  builtModels,
  type Entry,
  folderValues,
  idOfModel,
  layerOf,
  type LineageNode,
} from '@stagecraft/analysis'
import type { IndexedModel } from '@stagecraft/dbt'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, entryOf, testsOf } from '../resources.ts'
import { usesOf } from './uses.ts'

/** What conditions can be about. */
export const LISTED_KINDS = ['model', 'source', 'seed', 'snapshot', 'exposure', 'macro'] as const
export type ListedKind = (typeof LISTED_KINDS)[number]

/** Something that can be listed: a relation, an exposure or a macro. */
export interface Listed extends Omit<LineageNode, 'kind'> {
  readonly kind: ListedKind
  /** A model that dbt builds or not. @default none */
  readonly model?: IndexedModel
}

/** The values that something has of a fact, or their number; undefined where they are worked out when dbt runs. */
export type FactValue = readonly string[] | number | undefined

export interface Fact {
  readonly kinds: readonly ListedKind[]
  /** `count` is compared with numbers, and `flag` is yes or no. */
  readonly type: 'text' | 'count' | 'flag'
  readonly of: (view: ProjectView, one: Listed) => FactValue
  /** Values that may be asked for although nothing in the project has them. @default none */
  readonly values?: readonly string[]
  /** A relation can have several at once. @default false */
  readonly isList?: boolean
}

const MODEL = ['model'] as const
const TESTED = ['model', 'source', 'seed', 'snapshot'] as const

/**
 * Everything that relations can be told apart by. What dbt does where nothing is set is in
 * https://docs.getdbt.com/reference/model-configs and https://docs.getdbt.com/reference/resource-configs/access
 */
export const FACTS = {
  layer: {
    kinds: MODEL,
    type: 'text',
    values: ['base', 'staging', 'intermediate', 'mart', 'report'],
    of: (_, { model }) => [(model && layerOf(model)) ?? 'none'],
  },
  folder: { kinds: LISTED_KINDS, type: 'text', isList: true, of: (_, { path }) => foldersOf(path) },
  materialized: {
    kinds: MODEL,
    type: 'text',
    values: ['view', 'table', 'incremental', 'ephemeral', 'materialized_view'],
    of: (view, one) => configured(view, one, 'materialized', 'view'),
  },
  tag: { kinds: MODEL, type: 'text', isList: true, of: tagsOf },
  group: { kinds: MODEL, type: 'text', of: (view, one) => configured(view, one, 'group') },
  access: {
    kinds: MODEL,
    type: 'text',
    values: ['private', 'protected', 'public'],
    of: (view, one) => configured(view, one, 'access', 'protected'),
  },
  contract: { kinds: MODEL, type: 'flag', of: contractOf },
  enabled: {
    kinds: MODEL,
    type: 'flag',
    of: ({ models }, { id, model }) => flag(model !== undefined && models.get(id) === model),
  },
  tests: { kinds: TESTED, type: 'count', of: (view, one) => testsOf(view, asNode(one)).length },
  test: {
    kinds: TESTED,
    type: 'text',
    isList: true,
    values: ['unique', 'not_null', 'accepted_values', 'relationships'],
    of: (view, one) => [...new Set(testsOf(view, asNode(one)).map(({ name }) => name))],
  },
  description: { kinds: TESTED, type: 'flag', of: (view, one) => flag(isDescribed(view, one)) },
  readers: { kinds: TESTED, type: 'count', of: (view, one) => readersOf(view, one).length },
  column: {
    kinds: TESTED,
    type: 'text',
    isList: true,
    of: (view, one) => {
      const { columns, gaps } = columnsOf(view, asNode(one))
      return gaps.length > 0 ? undefined : columns.map(({ name }) => name)
    },
  },
  source: { kinds: ['source'], type: 'text', of: (_, { name }) => [name.split('.')[0] ?? ''] },
  freshness: { kinds: ['source'], type: 'flag', of: freshnessOf },
  type: {
    kinds: ['exposure'],
    type: 'text',
    values: ['dashboard', 'notebook', 'analysis', 'ml', 'application'],
    of: (view, one) => textsOf(exposureOf(view, one)?.get('type')),
  },
  owner: { kinds: ['exposure'], type: 'text', isList: true, of: ownersOf },
} as const satisfies Readonly<Record<string, Fact>>
export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[]

/** Lists what can be told apart, in the order of lineage; with models that are switched off, when they are asked for. */
export function listed(view: ProjectView, withDisabled: boolean): readonly Listed[] {
  const { index } = view.project
  const built = new Set(builtModels(view.project))
  const off = withDisabled ? index.models.filter((one) => one.kind === 'model' && !built.has(one)) : []
  return [
    ...view.lineage.nodes.map((node): Listed => {
      const model = view.models.get(node.id)
      return { ...node, ...(model && { model }) }
    }),
    ...off.map((model): Listed => {
      const { kind, name, path } = model
      return { id: idOfModel(model), kind, name, path, line: 1, model }
    }),
    ...index.macros.map(({ line, name, path }): Listed => ({
      id: `macro.${name}`,
      kind: 'macro',
      name,
      path,
      line,
    })),
  ]
}

/** The ids of what reads a relation, other than tests. */
function readersOf(view: ProjectView, one: Listed): readonly string[] {
  const { items } = usesOf(view, asNode(one))
  const readers = items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
  return [...new Set(readers.map(({ id }) => id))]
}

function asNode({ kind, ...node }: Listed): LineageNode {
  return { ...node, kind: kind === 'macro' ? 'exposure' : kind }
}

const flag = (isSo: boolean): readonly string[] => [isSo ? 'yes' : 'no']

/** Every run of neighbouring folders: `models/marts/core` is in `marts`, `marts/core` and `models/marts` too. */
function foldersOf(path: string): readonly string[] {
  const steps = path.split('/').slice(0, -1)
  return steps.flatMap((_, from) =>
    steps.slice(from).map((__, count) => steps.slice(from, from + count + 1).join('/')),
  )
}

function isDescribed(view: ProjectView, one: Listed): boolean {
  const description = entryOf(view, asNode(one))?.get('description')
  return typeof description === 'string' && description.trim() !== ''
}

function configured({ project }: ProjectView, { model }: Listed, key: string, fallback?: string): FactValue {
  const found = model ? project.configOf(model, key) : { status: 'unset' as const }
  if (found.status === 'unknown') return undefined
  if (found.status === 'unset' || found.value === null) return fallback === undefined ? [] : [fallback]
  return typeof found.value === 'string' ? [found.value] : [JSON.stringify(found.value)]
}

function contractOf({ project }: ProjectView, { model }: Listed): FactValue {
  const found = model ? project.configOf(model, 'contract') : { status: 'unset' as const }
  if (found.status === 'unknown') return undefined
  return flag(found.status === 'set' && Reflect.get(Object(found.value), 'enforced') === true)
}

/** Tags add up: those of the file, of its properties, and of every folder above it. */
function tagsOf({ project }: ProjectView, { model }: Listed): FactValue {
  if (!model) return []
  const entry = project.entryOf(model)
  const config: unknown = entry?.get('config')
  const given = [
    'tags' in model.config ? (model.config['tags'] ?? listInFile(project.files.get(model.path)?.text)) : [],
    entry?.get('tags') ?? [],
    Reflect.get(Object(config), 'tags') ?? [],
    ...folderValues(model, 'tags', project.index.settings),
  ]
  const tags = given.flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
  const isKnown = tags.every((tag) => typeof tag === 'string' && !tag.includes('{{'))
  return isKnown ? [...new Set(tags.map(String))] : undefined
}

/** The list of tags in `config(tags=[…])`, if nothing but texts is in it; undefined otherwise. */
function listInFile(text = ''): readonly string[] | undefined {
  const [, inner] = /\btags\s*=\s*\[([^\]]*)\]/.exec(text) ?? []
  if (inner === undefined || !/^\s*(?:(?:'[^'{]*'|"[^"{]*")\s*(?:,\s*|$))*$/.test(inner)) return undefined
  return [...inner.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '')
}

/** The innermost `freshness` counts; null there switches it off. */
function freshnessOf({ project }: ProjectView, { id }: Listed): FactValue {
  const sources = project.properties.flatMap(({ entries }) => entries('sources'))
  const levels = sources.flatMap((source) =>
    source
      .entries('tables')
      .flatMap((table) =>
        `source.${source.name}.${table.name}` === id
          ? [...writtenFreshness(table), ...writtenFreshness(source)]
          : [],
      ),
  )
  const set = levels.find((value) => value !== undefined)
  return flag(typeof set === 'object' && set !== null)
}

function writtenFreshness(entry: Entry): readonly unknown[] {
  return [Reflect.get(Object(entry.get('config')), 'freshness'), entry.get('freshness')]
}

function exposureOf({ project }: ProjectView, { name, path }: Listed): Entry | undefined {
  return project.properties
    .filter(({ file }) => file.path === path)
    .flatMap(({ entries }) => entries('exposures'))
    .find((exposure) => exposure.name === name)
}

function ownersOf(view: ProjectView, one: Listed): FactValue {
  const owner = Object(exposureOf(view, one)?.get('owner')) as Readonly<Record<string, unknown>>
  return [...textsOf(owner['name']), ...textsOf(owner['email'])]
}

const textsOf = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : [])
