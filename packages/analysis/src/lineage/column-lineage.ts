import type { IndexedModel } from '@stagecraft/dbt'
import { compareText } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { ColumnRead, ReadStructure, SqlStructure } from '../structure/sql-structure.ts'
import { subjectOf } from '../rules/subjects.ts'
import { configNaming } from './config-columns.ts'
import { foldName, isSame, knownColumns } from './known-columns.ts'
import {
  type BrokenRead,
  compareEdges,
  type Impact,
  type Lineage,
  type LineageAround,
  type LineageDirection,
  type LineageEdge,
  type LineageGap,
  type LineageNode,
  nodesBelow,
} from './lineage.ts'
import { idOfModel, idOfRelation, lineOfPlace, nodeOf, placeInYaml } from './model-lineage.ts'

export interface ColumnLineageOptions {
  readonly structure: SqlStructure
  /** The relations around it, which are searched for readers of the column. */
  readonly models: Lineage
}

/**
 * Returns the columns that a column is made of, and the columns made of it. Names are compared ignoring case, as in
 * most warehouses.
 *
 * @param relation The node of its relation.
 */
export function columnLineage(
  project: LintProject,
  {
    column,
    direction,
    relation,
  }: { readonly column: string; readonly direction: LineageDirection; readonly relation: LineageNode },
  { models, structure }: ColumnLineageOptions,
): LineageAround {
  const walk = new ColumnWalk(project, structure, models)
  const start = walk.nodeOf(relation.id, column)
  if (direction !== 'down') walk.up(start)
  const harm = direction === 'up' ? undefined : walk.down(start)
  const below = harm && nodesBelow(models, new Set(harm.breaks.map(({ id }) => id)))
  const { gaps, ...found } = walk.found()
  return {
    start,
    direction,
    ...found,
    gaps: [...doubtsOf(project, start, structure), ...gaps],
    ...(harm && below && { impact: { ...harm, below } }),
  }
}

/** A raw column that nothing names may not exist. */
function doubtsOf(project: LintProject, start: LineageNode, structure: SqlStructure): readonly LineageGap[] {
  const { column = '', kind, name } = start
  if (kind !== 'source') return []
  const id = relationOf(start)
  const known = knownColumns(project, { ...start, id }, structure)
  if (known.columns.some((one) => isSame(one, column))) return []
  return known.gaps.map((gap) => ({ id, name, reason: `it may lack the column ${column}: ${gap}` }))
}

class ColumnWalk {
  readonly #project: LintProject
  readonly #structure: SqlStructure
  readonly #models: ReadonlyMap<string, IndexedModel>
  readonly #relations: ReadonlyMap<string, LineageNode>
  /** Returns the ids of the readers of a relation. */
  readonly #readers: ReadonlyMap<string, readonly LineageEdge[]>
  readonly #nodes = new Map<string, LineageNode>()
  readonly #edges = new Map<string, LineageEdge>()
  readonly #gaps = new Map<string, LineageGap>()

  constructor(project: LintProject, structure: SqlStructure, models: Lineage) {
    this.#project = project
    this.#structure = structure
    this.#models = new Map(project.index.models.map((model) => [idOfModel(model), model]))
    this.#relations = new Map(models.nodes.map((node) => [node.id, node]))
    this.#readers = Map.groupBy(models.edges, ({ from }) => from)
  }

  found(): Lineage {
    return {
      nodes: [...this.#nodes.values()],
      edges: [...this.#edges.values()].toSorted(compareEdges),
      gaps: [...this.#gaps.values()].toSorted(
        (a, b) => compareText(a.name, b.name) || compareText(a.reason, b.reason),
      ),
    }
  }

  /** Returns the node of a column, with the place where its relation defines it. */
  nodeOf(relationId: string, column: string): LineageNode {
    const id = `${relationId}:${column.toLowerCase()}`
    const known = this.#nodes.get(id)
    if (known) return known
    const node = this.#newNode(relationId, column)
    this.#nodes.set(id, node)
    return node
  }

  #newNode(relationId: string, column: string): LineageNode {
    const id = `${relationId}:${column.toLowerCase()}`
    const model = this.#models.get(relationId)
    const output = model && this.#read(model)?.columns.find(({ name }) => isSame(name, column))
    if (model && output) {
      const line = lineOfPlace(this.#project, output.place)
      return { ...nodeOf(this.#project, model), id, column: output.name, path: output.place.path, line }
    }
    const relation = this.#relations.get(relationId)
    const [kind = 'model'] = relationId.split('.')
    const fallback = {
      kind: kind as LineageNode['kind'],
      name: relationId.slice(kind.length + 1),
      path: '',
      line: 1,
    }
    return { ...(relation ?? fallback), ...placeInYaml(this.#project, relationId, column), id, column }
  }

  /** Returns the structure of a model; an unreadable one is recorded as a gap. */
  #read(model: IndexedModel): ReadStructure | undefined {
    const structure = this.#structure.of(model)
    if (structure.status === 'read') return structure
    this.#note(model, structure.reason)
    return undefined
  }

  #note(model: IndexedModel, reason: string): void {
    const id = idOfModel(model)
    this.#gaps.set(`${id}\0${reason}`, { id, name: subjectOf(model).name, reason })
  }

  up(start: LineageNode): void {
    const waiting = new Set([start])
    for (const node of waiting) {
      const model = this.#models.get(relationOf(node))
      const read = model && this.#read(model)
      const output = read?.columns.find(({ name }) => isSame(name, node.column ?? ''))
      if (!model || !read) continue
      if (!output) {
        const passed = passedOn(read, node.column ?? '')
        for (const gap of passed.length > 0 ? [] : read.gaps) this.#note(model, gap)
        this.#upTo(passed, { model, node, waiting })
        continue
      }
      if (!output.isSourceComplete) this.#note(model, `${output.name} may have further inputs`)
      this.#upTo(output.sources, { model, node, waiting })
    }
  }

  /** Connects a column of a model to the columns that it is made of, which are followed next. */
  #upTo(
    sources: readonly ColumnRead[],
    {
      model,
      node,
      waiting,
    }: { readonly model: IndexedModel; readonly node: LineageNode; readonly waiting: Set<LineageNode> },
  ): void {
    for (const source of sources) {
      const from = this.#columnOf(source, model)
      if (from) waiting.add(this.#connect(from, node, source))
    }
  }

  #columnOf({ column, relation }: ColumnRead, model: IndexedModel): LineageNode | undefined {
    const id = idOfRelation(relation)
    if (id !== undefined) return this.nodeOf(id, column)
    if (relation.kind === 'other') this.#note(model, `it reads ${relation.name}, which is not in the project`)
    return undefined
  }

  #connect(from: LineageNode, to: LineageNode, { place }: ColumnRead): LineageNode {
    const edge = { from: from.id, to: to.id, path: place.path, line: lineOfPlace(this.#project, place) }
    if (!this.#edges.has(`${from.id}\0${to.id}`)) this.#edges.set(`${from.id}\0${to.id}`, edge)
    return from
  }

  /** Follows a column downstream and returns the places that break without it, and the columns that disappear with it. */
  down(start: LineageNode): Pick<Impact, 'breaks' | 'gone'> {
    const waiting = new Set([start])
    /** Columns that disappear together with the first one: those that a `*` passes on. */
    const gone = new Set([start.id])
    const breaks = new Map<string, BrokenRead>()
    const own = this.#models.get(relationOf(start))
    for (const one of own ? this.#brokenSettings(start, own) : [])
      breaks.set(`${one.id}\0${one.path}\0${one.line}`, one)
    for (const node of waiting) {
      const readers = (this.#readers.get(relationOf(node)) ?? []).flatMap(
        ({ to }) => this.#models.get(to) ?? [],
      )
      for (const reader of readers) {
        const made = this.#madeOf(node, reader)
        for (const one of made) waiting.add(one.node)
        const broken = [
          ...this.#brokenReads(node, reader),
          ...made
            .filter(({ isPassedOn }) => isPassedOn)
            .flatMap((one) => this.#brokenSettings(one.node, reader)),
        ]
        if (broken.length === 0) this.#noteDoubts(node, reader)
        if (!gone.has(node.id)) continue
        for (const one of made.filter(({ isPassedOn }) => isPassedOn)) gone.add(one.node.id)
        for (const one of broken) breaks.set(`${one.id}\0${one.path}\0${one.line}`, one)
      }
    }
    return {
      breaks: [...breaks.values()].toSorted((a, b) => compareText(a.path, b.path) || a.line - b.line),
      gone: [...waiting].filter(({ id }) => id !== start.id && gone.has(id)),
    }
  }

  /** Returns the columns of a model that are made of another model's column, and whether a `*` just passes it on. */
  #madeOf(
    from: LineageNode,
    model: IndexedModel,
  ): readonly { readonly node: LineageNode; readonly isPassedOn: boolean }[] {
    const read = this.#read(model)
    const star = read && passedOn(read, from.column ?? '').find((one) => isRead(one, from))
    if (star) {
      const node = this.nodeOf(idOfModel(model), from.column ?? '')
      this.#connect(from, node, star)
      return [{ node, isPassedOn: true }, ...this.#namedFrom(from, model, read)]
    }
    for (const gap of read?.gaps ?? []) this.#note(model, gap)
    return this.#namedFrom(from, model, read)
  }

  /** Returns the known columns of a model that are made of a column. */
  #namedFrom(
    from: LineageNode,
    model: IndexedModel,
    read: ReadStructure | undefined,
  ): readonly { readonly node: LineageNode; readonly isPassedOn: boolean }[] {
    return (read?.columns ?? []).flatMap((output) => {
      const sources = output.sources.filter((one) => isRead(one, from))
      const [first] = sources
      if (!first) return []
      const node = this.nodeOf(idOfModel(model), output.name)
      this.#connect(from, node, first)
      return [{ node, isPassedOn: output.isFromStar && !sources.some((one) => this.#isNamed(one)) }]
    })
  }

  /** Notes what a model that is read may do with a column beside what is known. */
  #noteDoubts({ column = '' }: LineageNode, model: IndexedModel): void {
    const { unknowns = [], unresolved = [] } = this.#read(model) ?? {}
    const text = this.#project.files.get(model.path)?.text ?? ''
    if (unresolved.some((name) => isSame(name, column)))
      this.#note(model, `it may read ${column}: the relation of a column with that name is not known`)
    else if (unknowns.length > 0 && foldName(text).includes(foldName(column)))
      this.#note(model, `it may read ${column}: ${unknowns.join(', ')} is only known when dbt runs`)
  }

  #brokenReads(node: LineageNode, model: IndexedModel): readonly BrokenRead[] {
    const reads = this.#read(model)?.reads ?? []
    return reads
      .filter((one) => isRead(one, node) && this.#isNamed(one))
      .map(({ column, place }) => ({
        id: idOfModel(model),
        name: subjectOf(model).name,
        column,
        path: place.path,
        line: lineOfPlace(this.#project, place),
      }))
  }

  /** Returns the setting of a model that names one of its own columns. */
  #brokenSettings({ column = '' }: LineageNode, model: IndexedModel): readonly BrokenRead[] {
    const place = configNaming(this.#project, model, column)
    if (!place) return []
    const line = lineOfPlace(this.#project, place)
    return [{ id: idOfModel(model), name: subjectOf(model).name, column, path: place.path, line }]
  }

  /** Returns true if a read names its column, unlike a `*` or a macro. */
  #isNamed({ column, place }: ColumnRead): boolean {
    const text = this.#project.files.get(place.path)?.text.slice(place.start, place.end) ?? ''
    return [text, unescapeNames(text)].some((one) => foldName(one).includes(foldName(column)))
  }
}

/** Returns the columns that a column comes from which only a `*` over unknown columns gives; none if that is not certain. */
function passedOn({ columns, openStars }: ReadStructure, column: string): readonly ColumnRead[] {
  if (columns.some(({ name }) => isSame(name, column))) return []
  return openStars
    .filter(({ without }) => !without.has(column.toLowerCase()))
    .map(({ place, relation }) => ({ relation, column, place }))
}

function relationOf({ id }: LineageNode): string {
  return id.slice(0, id.lastIndexOf(':'))
}

function isRead({ column, relation }: ColumnRead, node: LineageNode): boolean {
  return isSame(column, node.column ?? '') && idOfRelation(relation) === relationOf(node)
}

/** Removes the quotes and escapes of names in SQL: `"a""b"`, `[a]]b]`, and a backslash before a quote. */
function unescapeNames(sql: string): string {
  return sql.replaceAll(/(["`])\1|\](?=\])|\\(?=["`\\])/g, '$1')
}
