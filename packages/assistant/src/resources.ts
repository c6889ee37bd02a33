import {
  type Entry,
  idOfModel,
  idOfTable,
  lineOfPlace,
  type LineageNode,
  nearest,
  readTests,
  type WrittenTest,
} from '@stagecraft/analysis'
import { StagecraftError } from '@stagecraft/spec'
import { cleanText } from './clean-text.ts'
import type { ProjectView } from './project-view.ts'

/** A relation of the project, or a column of one. */
export interface Found {
  readonly node: LineageNode
  /** The column as the project spells it, if it is known. @default the whole relation */
  readonly column?: string
}

/** A column, with everything that files say about it. */
export interface ColumnFacts {
  /** `model.stg_orders:amount`. */
  readonly id: string
  readonly name: string
  readonly path: string
  readonly line: number
  readonly type?: string
  readonly description?: string
  readonly tests: readonly string[]
}

/**
 * Finds the resource of an id or a name: `model.stg_orders`, `stg_orders`, `shop.orders`, `stg_orders.amount`,
 * `model.stg_orders:amount`.
 *
 * @throws {StagecraftError} INVALID_REQUEST for a name that the project does not have.
 */
export function findResource(view: ProjectView, wanted: string): Found {
  const found = lookUp(view, wanted)
  if (found) return found
  const names = view.lineage.nodes.map(({ name }) => name)
  const close = nearest(wanted.replace(/^(?:model|source|seed|snapshot|exposure)\./, ''), names)
  throw StagecraftError.invalid(
    {
      path: 'id',
      expected: 'a model, seed, snapshot, exposure, source table or a column of one',
      received: JSON.stringify(cleanText(wanted, 100)),
    },
    {
      suggestion:
        close === undefined
          ? 'search_project finds names by their words'
          : `the closest name is ${JSON.stringify(cleanText(close, 100))}`,
    },
  )
}

/** Finds the resource of an id or a name; undefined if the project has none. */
export function lookUp(view: ProjectView, wanted: string): Found | undefined {
  const node = findNode(view, wanted)
  if (node) return { node }
  const mark = Math.max(wanted.lastIndexOf(':'), wanted.lastIndexOf('.'))
  const owner = mark > 0 ? findNode(view, wanted.slice(0, mark)) : undefined
  if (!owner || owner.kind === 'exposure') return undefined
  const column = wanted.slice(mark + 1)
  const { columns, gaps } = columnsOf(view, owner)
  const known = columns.find(({ name }) => isSame(name, column))
  if (known) return { node: owner, column: known.name }
  return gaps.length > 0 && column !== '' ? { node: owner, column } : undefined
}

/**
 * Finds the node of an id or a name, ignoring case if no exact match exists. A versioned model named without a
 * version means the one that `ref` takes.
 */
function findNode(view: ProjectView, wanted: string): LineageNode | undefined {
  const {
    lineage: { nodes },
    project: { graph },
  } = view
  const shown = (node: LineageNode): boolean =>
    cleanText(node.id) === wanted || cleanText(node.name) === wanted
  const referred = graph.resolve({ model: wanted })
  const folded = nodes.filter(({ id, name }) => isSame(id, wanted) || isSame(name, wanted))
  return (
    nodes.find(({ id }) => id === wanted) ??
    nodes.find(({ name }) => name === wanted) ??
    nodes.find(shown) ??
    nodes.find(({ id }) => referred && id === idOfModel(referred)) ??
    (folded.length === 1 ? folded[0] : storedAs(view, wanted))
  )
}

/** Finds the source table that is stored in the warehouse under a name: `raw.shop.orders`; undefined if several are. */
function storedAs(
  { lineage: { nodes }, project: { index } }: ProjectView,
  wanted: string,
): LineageNode | undefined {
  const [table = '', schema, database, ...others] = wanted.split('.').toReversed()
  if (schema === undefined || others.length > 0 || index.sources.some(({ name }) => name === database))
    return undefined
  const ids = index.sources.flatMap((source) => {
    const isHere =
      (isSame(source.schema ?? source.name, schema) ||
        (database === undefined && isSame(source.name, schema))) &&
      (database === undefined || source.database === undefined || isSame(source.database, database))
    return source.tables
      .filter(({ identifier }) => isHere && isSame(identifier, table))
      .map(({ name }) => idOfTable(source.name, name))
  })
  const [only, ...more] = new Set(ids)
  return more.length > 0 ? undefined : nodes.find(({ id }) => id === only)
}

export function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** Says that a column is not known to be there, where not all columns of its relation are known. */
export function unknownColumn(view: ProjectView, { column, node }: Found): readonly string[] {
  if (column === undefined) return []
  const isKnown = columnsOf(view, node).columns.some(({ name }) => isSame(name, column))
  return isKnown
    ? []
    : [`${node.name} is not known to have a column ${column}: not all of its columns are known`]
}

export function idOfColumn(node: LineageNode, column: string): string {
  return `${node.id}:${column.toLowerCase()}`
}

/** Returns the entry of YAML that describes a relation. */
export function entryOf(
  { models, project }: ProjectView,
  { id, kind, path }: LineageNode,
): Entry | undefined {
  if (kind === 'exposure') return undefined
  const model = models.get(id)
  if (model) return project.entryOf(model)
  return project.properties
    .filter(({ file }) => file.path === path)
    .flatMap(({ entries }) => entries('sources'))
    .flatMap((source) =>
      source.entries('tables').filter((table) => `source.${source.name}.${table.name}` === id),
    )[0]
}

/** Returns the columns of a relation according to SQL, YAML and raw tables, and the reasons why there may be more. */
export function columnsOf(
  view: ProjectView,
  node: LineageNode,
): { readonly columns: readonly ColumnFacts[]; readonly gaps: readonly string[] } {
  if (node.kind === 'exposure') return { columns: [], gaps: [] }
  const { project } = view
  const described = describedColumns(view, node)
  const byName = new Map(described.map((column) => [column.name.toLowerCase(), column]))
  const model = view.models.get(node.id)
  if (!model) {
    const [source = '', ...table] = node.name.split('.')
    const raw = node.kind === 'source' ? project.raw.tableOf(source, table.join('.')) : undefined
    const others = (raw?.columns ?? []).filter(
      ({ hidden, name }) => !hidden && !byName.has(name.toLowerCase()),
    )
    const types = new Map(raw?.columns.map(({ name, type }) => [name.toLowerCase(), type]))
    const bare = others.map(({ name }) => ({
      id: idOfColumn(node, name),
      name,
      path: node.path,
      line: node.line,
      tests: [],
    }))
    return {
      columns: [...described, ...bare].map((column) => {
        const type = types.get(column.name.toLowerCase())
        return type === undefined ? column : { ...column, type }
      }),
      gaps: raw ? [] : ['the YAML of a source may not list all columns'],
    }
  }
  const structure = project.structure.of(model)
  if (structure.status === 'unread') return { columns: described, gaps: [structure.reason] }
  const made = structure.columns.map(({ name, place }) => ({
    tests: [],
    ...byName.get(name.toLowerCase()),
    id: idOfColumn(node, name),
    name,
    path: place.path,
    line: lineOfPlace(project, place),
  }))
  const names = new Set(made.map(({ name }) => name.toLowerCase()))
  const more = structure.gaps.length > 0 ? described.filter(({ name }) => !names.has(name.toLowerCase())) : []
  return { columns: [...made, ...more], gaps: structure.gaps }
}

function describedColumns(view: ProjectView, node: LineageNode): readonly ColumnFacts[] {
  return (entryOf(view, node)?.entries('columns') ?? []).map((column) => {
    const [type, description] = [column.get('data_type'), column.get('description')]
    return {
      id: idOfColumn(node, column.name),
      name: column.name,
      path: column.place.path,
      line: lineOfPlace(view.project, column.place),
      ...(typeof type === 'string' && { type }),
      ...(typeof description === 'string' && description.trim() !== '' && { description }),
      tests: readTests(column).map(textOfTest),
    }
  })
}

export function textOfTest({ arguments: given, name }: WrittenTest): string {
  const { arguments: _, config: __, name: ___, test_name: ____, ...own } = given
  return Object.keys(own).length === 0 ? name : `${name} ${JSON.stringify(own)}`
}
