import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule, Unchecked } from '../rule.ts'
import { builtModels, placeOf, subjectOf } from './subjects.ts'

/** The longest chain that warehouses plan well, according to dbt Labs. */
const LONGEST = 5

/** Off by default: a chain is fine on small data. */
export const chainedViews = {
  id: 'SC407',
  name: 'chained-views',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: `more than ${LONGEST} views are stacked on each other`,
  docs: {
    why: 'Each query runs all of them. That is slow, and some warehouses cannot plan it.',
    example: {
      language: 'sql',
      code: "{{ config(materialized='view') }}\nselect * from {{ ref('sixth_view') }}",
    },
    remedy: 'Materialize one of them, near the middle, as a table.',
  },
  check: (project) => {
    const models = builtModels(project).filter(({ kind }) => kind === 'model')
    const unknown = models.filter((model) => isView(project, model) === undefined)
    const depths = depthsOf(project, models)
    const ends = models.filter(
      (model) =>
        (depths.get(model) ?? 0) > LONGEST &&
        !project.graph.childrenOf(model).some((child) => (depths.get(child) ?? 0) > 0),
    )
    return [
      ...ends.map((model) => ({
        message: `${model.name} is the last of ${depths.get(model)} views stacked on each other`,
        place: placeOf(project, model),
        subject: subjectOf(model),
      })),
      ...unknown.map((model): Unchecked => ({
        subject: subjectOf(model),
        unchecked: 'its materialization is only known when dbt runs',
      })),
    ]
  },
} satisfies Rule

/** Returns true for a view; undefined if dbt computes it at run time. Views are dbt's default. */
function isView(project: LintProject, model: IndexedModel): boolean | undefined {
  const materialized = project.configOf(model, 'materialized')
  if (materialized.status === 'unknown') return undefined
  return (
    materialized.status === 'unset' || materialized.value === 'view' || materialized.value === 'ephemeral'
  )
}

/** Counts the chained views that end in each model, including itself; 0 for a table. */
function depthsOf(project: LintProject, models: readonly IndexedModel[]): ReadonlyMap<IndexedModel, number> {
  const depths = new Map<IndexedModel, number>()
  // A model is counted once all its parents are; models in a cycle never are.
  const waiting = new Map(models.map((model) => [model, parentsIn(project, model).length]))
  const ready = models.filter((model) => waiting.get(model) === 0)
  for (const model of ready) {
    const above = parentsIn(project, model).map((parent) => depths.get(parent) ?? 0)
    depths.set(model, isView(project, model) === true ? 1 + Math.max(0, ...above) : 0)
    for (const child of project.graph.childrenOf(model)) {
      const rest = (waiting.get(child) ?? 0) - 1
      waiting.set(child, rest)
      if (rest === 0) ready.push(child)
    }
  }
  return depths
}

function parentsIn(project: LintProject, model: IndexedModel): readonly IndexedModel[] {
  return project.graph.parentsOf(model).filter(({ kind }) => kind === 'model')
}
