import type { IndexedModel } from '@stagecraft/dbt'
import { layerOf } from '../project/layers.ts'
import type { LintProject } from '../project/lint-project.ts'
import type { Hit, Rule, Unchecked } from '../rule.ts'
import { foreignMacro } from './foreign-macro.ts'
import { builtModels, placeOf, placeOfRead, subjectOf } from './subjects.ts'

/** A staging model is the one door of a raw table into the project. */
export const stagingReadsOtherLayer = {
  id: 'SC201',
  name: 'staging-reads-other-layer',
  group: 'staging',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'a staging model reads another staging model, a later layer, or no source at all',
  docs: {
    why: 'A staging model cleans one raw table, and everything else builds on it. One that reads staging models or later layers hides joins and business rules where nobody looks for them, and makes layers depend on each other both ways.',
    example: {
      language: 'sql',
      code: "-- models/staging/shop/stg_shop__orders.sql\nselect * from {{ ref('fct_orders') }}",
    },
    remedy:
      'Read the source here, and move joins and rules to an intermediate model. A base model below is fine.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) =>
      layerOf(model) === 'staging' ? [...wrongReads(project, model), ...withoutSource(project, model)] : [],
    ),
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

function withoutSource(project: LintProject, model: IndexedModel): readonly (Hit | Unchecked)[] {
  if (model.reads.length > 0 || model.models.length > 0) return []
  const subject = subjectOf(model, 'no source')
  if (model.isDynamic) return [{ subject, unchecked: 'its references are worked out when dbt runs' }]
  const foreign = foreignMacro(project, model)
  if (foreign !== undefined) return [{ subject, unchecked: `the macro ${foreign} may read more` }]
  return [{ message: `staging model ${model.name} reads no source`, place: placeOf(project, model), subject }]
}
