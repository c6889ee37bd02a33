import type { Rule } from '../rule.ts'
import { builtModels, list, placeOf, subjectOf } from './subjects.ts'

/** dbt Labs' evaluator reports a fan-out from 3 leaves; conformed dimensions have more. */
const MOST = 10

/** Off by default: healthy dimensions have many readers. */
export const fanOut = {
  id: 'SC406',
  name: 'fan-out',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: `${MOST} or more leaf models (models without readers) read the same model`,
  docs: {
    why: 'Each report model repeats its own step on the same rows, and over time the reports disagree.',
    example: {
      language: 'sql',
      code: "-- rpt_orders_by_day.sql, rpt_orders_by_week.sql, … one for each question\nselect day, count(*) from {{ ref('fct_orders') }} group by 1",
    },
    remedy: 'Group and filter in the reporting tool, or move the shared part of the reports into one model.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const leaves = project.graph
        .childrenOf(model)
        .filter((child) => child.kind === 'model' && project.graph.childrenOf(child).length === 0)
      if (leaves.length < MOST) return []
      return [
        {
          message: `${leaves.length} leaf models read ${model.name}: ${list(leaves.map(({ name }) => name))}`,
          place: placeOf(project, model),
          subject: subjectOf(model),
        },
      ]
    }),
} satisfies Rule
