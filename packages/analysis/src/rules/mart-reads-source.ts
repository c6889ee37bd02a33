import { layerOf } from '@stagecraft/dbt'
import type { Rule } from '../rule.ts'
import { builtModels, nameOfSource, placeOfSource, subjectOf } from './subjects.ts'

const LATE = new Set(['intermediate', 'mart', 'report'])

/** Only staging should read raw names and types. */
export const martReadsSource = {
  id: 'SC403',
  name: 'mart-reads-source',
  group: 'graph',
  severity: 'warning',
  isDefault: true,
  needs: ['files'],
  summary: 'an intermediate model, mart or report reads a source directly',
  docs: {
    why: 'Staging renames, casts and filters out deleted rows. A model that bypasses it sees other rows and names than the rest of the project.',
    example: { language: 'sql', code: "-- fct_orders.sql\nselect * from {{ source('shop', 'orders') }}" },
    remedy: 'Stage the table, and read the staging model.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const layer = layerOf(model)
      if (layer === undefined || !LATE.has(layer)) return []
      return model.reads.map((read) => ({
        message: `${model.name} (${layer}) reads source ${nameOfSource(read)} directly`,
        place: placeOfSource(project, model, read),
        subject: subjectOf(model, nameOfSource(read)),
      }))
    }),
} satisfies Rule
