import { type IndexedModel, layerOf } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { builtModels, nameOfSource, placeOfSource, subjectOf } from './subjects.ts'

/** Two staging models of one raw table may contradict each other. */
export const stagingTwice = {
  id: 'SC202',
  name: 'source-staged-twice',
  group: 'staging',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'two staging models read the same source table and nothing else',
  docs: {
    why: 'Columns are renamed and cast in two places, which diverge over time, and nobody knows which model to build on.',
    example: {
      language: 'sql',
      code: "-- stg_shop__orders.sql and stg_shop__orders_new.sql\nselect * from {{ source('shop', 'orders') }}",
    },
    remedy: 'Keep one staging model per source table, and filter or enrich it in intermediate models.',
  },
  check: (project) => {
    const staged = Map.groupBy(modelsOfOneSource(project), ({ reads: [read] }) =>
      read ? nameOfSource(read) : '',
    )
    return [...staged].flatMap(([table, models]) => {
      const [first, ...others] = models
      return others
        .filter(({ name }) => name !== first?.name)
        .map((model) => ({
          message: `staging model ${model.name} reads ${table}, which ${first?.name} already stages`,
          place: placeOf(project, model),
          subject: subjectOf(model, table),
        }))
    })
  },
} satisfies Rule

function modelsOfOneSource(project: LintProject): readonly IndexedModel[] {
  return builtModels(project).filter(
    (model) =>
      layerOf(model) === 'staging' &&
      model.reads.length === 1 &&
      model.models.length === 0 &&
      !model.isDynamic,
  )
}

function placeOf(project: LintProject, model: IndexedModel): ReturnType<typeof placeOfSource> {
  const [read = { source: '', table: '', line: 1 }] = model.reads
  return placeOfSource(project, model, read)
}
