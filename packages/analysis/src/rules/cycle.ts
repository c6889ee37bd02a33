import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { builtModels, list, placeOfRead, subjectOf } from './subjects.ts'

/** dbt stops at a cycle and names one edge; this rule shows the whole cycle. */
export const cycle = {
  id: 'SC409',
  name: 'cycle',
  group: 'graph',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'models form a cycle',
  docs: {
    why: 'dbt cannot order them, and builds nothing.',
    example: {
      language: 'sql',
      code: "-- fct_orders.sql, which dim_customers reads\nselect * from {{ ref('dim_customers') }}",
    },
    remedy: 'Move the shared part into a model that both read.',
  },
  check: (project) =>
    cyclesOf(project).map((models) => {
      const [first, second] = models
      const names = list(
        [...models, ...models.slice(0, 1)].map(({ name }) => name),
        10,
      )
      return {
        message: `models form a cycle: ${names.replaceAll(', ', ' → ')}`,
        place: first ? placeOfRead(project, first, second ?? first) : { path: '', start: 0, end: 0 },
        subject: first ? subjectOf(first) : { kind: 'project' as const, name: project.index.settings.name },
      }
    }),
} satisfies Rule

/** Finds one shortest cycle in each group of models that read each other; a model is in at most one. */
function cyclesOf(project: LintProject): readonly (readonly IndexedModel[])[] {
  const inCycle = new Set<IndexedModel>()
  const cycles: (readonly IndexedModel[])[] = []
  for (const model of inCircles(project)) {
    if (inCycle.has(model)) continue
    const found = shortestCycle(project, model)
    for (const one of found) inCycle.add(one)
    if (found.length > 0) cycles.push(found)
  }
  return cycles
}

/** Repeatedly removes models without parents or without children, and returns the rest. */
function inCircles(project: LintProject): readonly IndexedModel[] {
  const { childrenOf, parentsOf } = project.graph
  const built = builtModels(project)
  return peel(peel(built, parentsOf, childrenOf), childrenOf, parentsOf)
}

type Neighbours = (model: IndexedModel) => readonly IndexedModel[]

function peel(
  models: readonly IndexedModel[],
  before: Neighbours,
  after: Neighbours,
): readonly IndexedModel[] {
  const left = new Set(models)
  const count = new Map(models.map((model) => [model, before(model).filter((one) => left.has(one)).length]))
  const free = models.filter((model) => count.get(model) === 0)
  for (let model = free.pop(); model; model = free.pop()) {
    left.delete(model)
    for (const next of after(model)) {
      const rest = (count.get(next) ?? 0) - 1
      count.set(next, rest)
      if (rest === 0 && left.has(next)) free.push(next)
    }
  }
  return models.filter((model) => left.has(model))
}

/** Returns the shortest path from a model back to itself; empty if there is none. */
function shortestCycle({ graph }: LintProject, start: IndexedModel): readonly IndexedModel[] {
  const cameFrom = new Map<IndexedModel, IndexedModel>()
  const queue = [start]
  for (const model of queue) {
    for (const read of graph.parentsOf(model)) {
      if (read === start) return wayTo(model, start, cameFrom)
      if (cameFrom.has(read)) continue
      cameFrom.set(read, model)
      queue.push(read)
    }
  }
  return []
}

function wayTo(
  end: IndexedModel,
  start: IndexedModel,
  cameFrom: ReadonlyMap<IndexedModel, IndexedModel>,
): readonly IndexedModel[] {
  const way = [end]
  for (let at = end; at !== start;) {
    const before = cameFrom.get(at)
    if (!before) return []
    way.unshift(before)
    at = before
  }
  return way
}
