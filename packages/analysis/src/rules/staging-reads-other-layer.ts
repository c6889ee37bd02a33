import { type IndexedModel, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import { foreignCalls } from './foreign-macro.ts'
import { builtModels, placeOf, placeOfRead, subjectOf } from './subjects.ts'

/** A staging model is the only entry of a raw table into the project. */
export const stagingReadsOtherLayer = {
  id: 'SC201',
  name: 'staging-reads-other-layer',
  group: 'staging',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a staging model reads another staging model, a later layer, or no source at all',
  docs: {
    why: 'A staging model cleans one raw table, and everything else builds on it. A staging model that reads other staging models or later layers hides joins and business rules in unexpected places, and makes layers depend on each other in both directions.',
    example: {
      language: 'sql',
      code: "-- models/staging/shop/stg_shop__orders.sql\nselect * from {{ ref('fct_orders') }}",
    },
    remedy:
      'Read the source here, and move joins and rules to an intermediate model. Reading a base model is fine.',
  },
  check: (project) => {
    const foreign = foreignCalls(project)
    return builtModels(project).flatMap((model) =>
      layerOf(model) === 'staging'
        ? [...wrongReads(project, model), ...withoutSource(project, model, foreign)]
        : [],
    )
  },
} satisfies Rule

function wrongReads(project: LintProject, model: IndexedModel): readonly Hit[] {
  return project.graph.parentsOf(model).flatMap((read): readonly Hit[] => {
    const layer = layerOf(read)
    if (layer === undefined || layer === 'base') return []
    const what = layer === 'staging' ? 'another staging model' : `a model of a later layer (${layer})`
    return [
      {
        message: `staging model ${model.name} reads ${read.name}, ${what}`,
        place: placeOfRead(project, model, read),
        subject: subjectOf(model, read.name),
      },
    ]
  })
}

function withoutSource(
  project: LintProject,
  model: IndexedModel,
  foreignCallsOf: ReturnType<typeof foreignCalls>,
): readonly (Hit | Unchecked)[] {
  if (model.reads.length > 0 || model.models.length > 0) return []
  const subject = subjectOf(model, 'no source')
  if (model.isDynamic) return [{ subject, unchecked: 'its references are only known when dbt runs' }]
  const [foreign] = foreignCallsOf(model)
  if (foreign) return [{ subject, unchecked: `the macro ${foreign.name} may read more` }]
  return [{ message: `staging model ${model.name} reads no source`, place: placeOf(project, model), subject }]
}
