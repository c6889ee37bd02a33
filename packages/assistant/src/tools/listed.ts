import { builtModels, idOfModel, type LineageNode } from '@stagecraft/analysis'
import type { IndexedModel } from '@stagecraft/dbt'
import type { ProjectView } from '../project-view.ts'
import { columnsOf, isSame } from '../resources.ts'
import { type DeclaredTest, testsOf } from '../tests.ts'

/** The kinds that conditions can be about. */
export const LISTED_KINDS = [
  'model',
  'source',
  'seed',
  'snapshot',
  'exposure',
  'macro',
  'column',
  'test',
] as const
export type ListedKind = (typeof LISTED_KINDS)[number]

/** A column of a relation. */
export interface ListedColumn {
  readonly owner: Listed
  /** Without that of its relation. */
  readonly name: string
  readonly isDescribed: boolean
  /** The names of its tests. */
  readonly tests: readonly string[]
}

/** Something that can be listed: a relation, a column of one, an exposure or a macro. */
export interface Listed extends Omit<LineageNode, 'column' | 'kind'> {
  readonly kind: ListedKind
  /** A model that dbt builds or not. @default none */
  readonly model?: IndexedModel
  /** @default it is no column */
  readonly column?: ListedColumn
  /** @default it is no test */
  readonly test?: DeclaredTest
}

/** Lists relations, exposures and macros, in the order of lineage; with disabled models, if requested. */
export function listed(view: ProjectView, withDisabled: boolean): readonly Listed[] {
  const { index } = view.project
  const built = new Set(builtModels(view.project))
  const off = withDisabled ? index.models.filter((one) => one.kind === 'model' && !built.has(one)) : []
  return [
    ...view.lineage.nodes.map(({ column: _, ...node }): Listed => {
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

/** Lists the known columns of relations. */
export function listedColumns(view: ProjectView, owners: readonly Listed[]): readonly Listed[] {
  return owners.flatMap((owner) => {
    const { columns } = columnsOf(view, asNode(owner))
    const tests = columns.length === 0 ? [] : testsOf(view, asNode(owner))
    return columns.map(({ description, id, line, name, path }): Listed => ({
      id,
      kind: 'column',
      name: `${owner.name}.${name}`,
      path,
      line,
      column: {
        owner,
        name,
        isDescribed: description !== undefined,
        tests: tests.filter(({ column = '' }) => isSame(column, name)).map((test) => test.name),
      },
    }))
  })
}

/** Lists the data tests of relations, those that read several of them once. */
export function listedTests(view: ProjectView, owners: readonly Listed[]): readonly Listed[] {
  const tests = owners.flatMap((owner) => testsOf(view, asNode(owner)))
  const found = new Map(
    tests
      .filter(({ id }) => id.startsWith('test.'))
      .map((test) => [test.path.endsWith('.sql') ? test.id : `${test.id} ${test.text} ${test.line}`, test]),
  )
  return [...found.values()].map((test): Listed => {
    const { id, line, name, path } = test
    return { id, kind: 'test', name, path, line, test }
  })
}

/**
 * Returns the node of a relation. Macros, columns and tests have no node, so no condition on nodes is true of them.
 */
export function asNode({ column: _, kind, test: __, ...node }: Listed): LineageNode {
  return { ...node, kind: kind === 'macro' || kind === 'column' || kind === 'test' ? 'exposure' : kind }
}
