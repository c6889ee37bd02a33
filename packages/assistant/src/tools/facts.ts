import { folderValues, layerOf } from '@stagecraft/dbt'
import type { Entry } from '@stagecraft/analysis'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, entryOf } from '../resources.ts'
import { testsOf } from '../tests.ts'
import {
  asNode,
  type Listed,
  LISTED_KINDS,
  type ListedColumn,
  listedColumns,
  type ListedKind,
} from './listed.ts'
import { countColumnReaders } from './column-readers.ts'
import { macroReaders, macrosOf } from './macro-uses.ts'
import { ownersOf } from './owners.ts'
import { isPersonal } from './personal.ts'
import { freshnessIn } from './freshness.ts'
import { namesOf, relativesOf, type Side, UNKNOWN_RELATIVES } from './relatives.ts'
import { hasTestedKey } from './tested-key.ts'
import { usesOf } from './uses.ts'

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

/** Of models; of their columns too, which are in the layer of their model. */
const MODEL = ['model', 'column'] as const
const TESTED = ['model', 'source', 'seed', 'snapshot'] as const
const DESCRIBED = [...TESTED, 'column'] as const
const READERS = ['model', 'snapshot', 'exposure'] as const

/**
 * All facts that distinguish relations. The defaults of dbt are documented in
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
  tests: {
    kinds: DESCRIBED,
    type: 'count',
    of: (view, one) => one.column?.tests.length ?? testsOf(view, asNode(one)).length,
  },
  test: {
    kinds: [...DESCRIBED, 'test'],
    type: 'text',
    isList: true,
    values: ['unique', 'not_null', 'accepted_values', 'relationships'],
    of: (view, one) =>
      one.test
        ? [one.test.name]
        : [...new Set(one.column?.tests ?? testsOf(view, asNode(one)).map(({ name }) => name))],
  },
  severity: {
    kinds: ['test'],
    type: 'text',
    values: ['error', 'warn'],
    of: (_, { test }) => (test?.severity === undefined ? undefined : [test.severity]),
  },
  primarykey: {
    kinds: TESTED,
    type: 'flag',
    of: (view, one) => {
      const isTested = hasTestedKey(view, asNode(one))
      return isTested === undefined ? undefined : flag(isTested)
    },
  },
  uniquekey: { kinds: [...MODEL, 'snapshot'], type: 'flag', of: hasUniqueKey },
  description: {
    kinds: DESCRIBED,
    type: 'flag',
    of: (view, one) => flag(one.column?.isDescribed ?? isDescribed(view, one)),
  },
  personal: {
    kinds: DESCRIBED,
    type: 'flag',
    of: (view, one) => {
      const found = isPersonal(view, one)
      return found === undefined ? undefined : flag(found)
    },
  },
  readers: {
    kinds: [...DESCRIBED, 'macro'],
    type: 'count',
    of: countReaders,
  },
  reads: {
    kinds: [...READERS, 'test'],
    type: 'text',
    isList: true,
    of: (view, one) =>
      one.test ? namesOf(one.test.reads ?? []) : relativesOf(view, one, { side: 'from', isDirect: true }),
  },
  macro: {
    kinds: ['model', 'snapshot'],
    type: 'text',
    isList: true,
    of: (view, { id }) => macrosOf(view, id),
  },
  upstream: { kinds: READERS, type: 'text', isList: true, of: relatives('from', false) },
  readby: { kinds: TESTED, type: 'text', isList: true, of: relatives('to', true) },
  downstream: { kinds: TESTED, type: 'text', isList: true, of: relatives('to', false) },
  parents: { kinds: READERS, type: 'count', of: parentsOf },
  children: {
    kinds: TESTED,
    type: 'count',
    of: ({ lineage }, { id }) => neighbours(lineage.edges, id, 'to'),
  },
  modelreaders: { kinds: TESTED, type: 'count', of: relativesOfKind('to', 'model') },
  modelsdownstream: { kinds: TESTED, type: 'count', of: relativesOfKind('to', 'model', false) },
  exposurereaders: { kinds: TESTED, type: 'count', of: relativesOfKind('to', 'exposure') },
  modelparents: { kinds: READERS, type: 'count', of: relativesOfKind('from', 'model') },
  sourceparents: { kinds: READERS, type: 'count', of: relativesOfKind('from', 'source') },
  columns: { kinds: TESTED, type: 'count', of: (view, one) => countColumns(view, one, () => true) },
  undocumented: {
    kinds: TESTED,
    type: 'count',
    of: (view, one) => countColumns(view, one, (column) => !column.isDescribed),
  },
  untested: {
    kinds: TESTED,
    type: 'count',
    of: (view, one) => countColumns(view, one, ({ tests }) => tests.length === 0),
  },
  column: {
    kinds: TESTED,
    type: 'text',
    isList: true,
    of: (view, one) => {
      const { columns, gaps } = columnsOf(view, asNode(one))
      return gaps.length > 0 ? undefined : columns.map(({ name }) => name)
    },
  },
  name: { kinds: ['column'], type: 'text', of: (_, { column }) => [column?.name ?? ''] },
  // a column is of one relation, which has an id, a kind and a name
  of: { kinds: ['column'], type: 'text', of: (_, one) => [one.id, one.kind, ...nameOf(one)] },
  schema: { kinds: ['model', 'source', 'column'], type: 'text', of: schemaOf },
  source: { kinds: ['source', 'column'], type: 'text', of: (_, { name }) => [name.split('.')[0] ?? ''] },
  freshness: {
    kinds: ['source'],
    type: 'flag',
    of: (view, { id }) => flag(freshnessIn(view, id) !== undefined),
  },
  type: {
    kinds: ['exposure'],
    type: 'text',
    values: ['dashboard', 'notebook', 'analysis', 'ml', 'application'],
    of: (view, one) => textsOf(exposureOf(view, one)?.get('type')),
  },
  owner: { kinds: [...TESTED, 'exposure'], type: 'text', isList: true, of: ownersOf },
} as const satisfies Readonly<Record<string, Fact>>
export type FactName = keyof typeof FACTS
export const FACT_NAMES = Object.keys(FACTS) as readonly FactName[]

/** The relatives of a relation: what it reads and what reads it, directly or not. */
function relatives(side: Side, isDirect: boolean): Fact['of'] {
  return (view, one) => relativesOf(view, one, { side, isDirect })
}

/** Counts direct relatives of one kind; undefined if there may be more that are only known when dbt runs. */
function relativesOfKind(side: Side, kind: ListedKind, isDirect = true): Fact['of'] {
  return (view, one) => {
    const found = relativesOf(view, one, { side, isDirect })
    if (found.includes(UNKNOWN_RELATIVES)) return undefined
    // a source table is named by its source too: `source.shop`
    const { nodes } = view.lineage
    return nodes.filter((node) => node.kind === kind && found.includes(node.id)).length
  }
}

function hasUniqueKey({ project }: ProjectView, { model }: Listed): FactValue {
  const found = model ? project.configOf(model, 'unique_key') : { status: 'unset' as const }
  if (found.status === 'unknown') return undefined
  const isEmpty = found.status === 'unset' || found.value === null || found.value === ''
  return flag(!isEmpty)
}

/** The ids of what reads a relation, other than tests. */
function readersOf(view: ProjectView, one: Listed): readonly string[] {
  const { items } = usesOf(view, asNode(one))
  const readers = items.filter(({ kind }) => kind !== 'properties' && kind !== 'test')
  return [...new Set(readers.map(({ id }) => id))]
}

function countReaders(view: ProjectView, one: Listed): number | undefined {
  if (one.column) return countColumnReaders(view, one.column.owner.id, one.column.name)
  return one.kind === 'macro' ? macroReaders(view, one.name)?.length : readersOf(view, one).length
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
    'tags' in model.config ? model.config['tags'] : [],
    entry?.get('tags') ?? [],
    Reflect.get(Object(config), 'tags') ?? [],
    ...folderValues(model, 'tags', project.index.settings),
  ]
  const tags = given.flatMap((value) => (Array.isArray(value) ? (value as readonly unknown[]) : [value]))
  const isKnown = tags.every((tag) => typeof tag === 'string' && !tag.includes('{{'))
  return isKnown ? [...new Set(tags.map(String))] : undefined
}

function exposureOf({ project }: ProjectView, { name, path }: Listed): Entry | undefined {
  return project.properties
    .filter(({ file }) => file.path === path)
    .flatMap(({ entries }) => entries('exposures'))
    .find((exposure) => exposure.name === name)
}

const textsOf = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : [])

/** The facts that columns have themselves; any other is that of their relation. */
const OWN_OF_COLUMNS: ReadonlySet<FactName> = new Set([
  'tests',
  'test',
  'description',
  'readers',
  'name',
  'personal',
])

export function isOwnOfColumns(fact: FactName | undefined): boolean {
  return fact !== undefined && OWN_OF_COLUMNS.has(fact)
}

/** Returns the value of a fact. */
export function factOf(view: ProjectView, one: Listed, name: FactName): FactValue {
  const fact: Fact = FACTS[name]
  return fact.of(view, one.column && !isOwnOfColumns(name) ? one.column.owner : one)
}

/** A name that is also a kind stands for the kind. */
function nameOf({ name }: Listed): readonly string[] {
  return LISTED_KINDS.some((kind) => kind === name.toLowerCase()) ? [] : [name]
}

/** Counts columns; undefined if there may be more. */
function countColumns(
  view: ProjectView,
  one: Listed,
  isCounted: (column: ListedColumn) => boolean,
): FactValue {
  if (columnsOf(view, asNode(one)).gaps.length > 0) return undefined
  return listedColumns(view, [one]).filter(({ column }) => column && isCounted(column)).length
}

type Edges = ProjectView['lineage']['edges']

function neighbours(edges: Edges, id: string, side: 'from' | 'to'): number {
  const own = edges.filter((edge) => edge[side === 'from' ? 'to' : 'from'] === id)
  return new Set(own.map((edge) => edge[side])).size
}

/** Counts what it reads directly; undefined if some of it is only known when dbt runs. */
function parentsOf({ lineage }: ProjectView, { id, name }: Listed): FactValue {
  return lineage.gaps.some((gap) => gap.name === name) ? undefined : neighbours(lineage.edges, id, 'from')
}

/** The schema that files set: that of a source, and the one that a model adds to the target schema. */
function schemaOf(view: ProjectView, one: Listed): FactValue {
  if (one.kind !== 'source') return configured(view, one, 'schema')
  const [name, ...table] = one.name.split('.')
  const source = view.project.index.sources.find(
    (each) => each.name === name && each.tables.some((own) => own.name === table.join('.')),
  )
  return source?.schema === undefined ? undefined : [source.schema]
}
