import type { Rule } from '../rule.ts'
import { builtModels, list, placeOf, subjectOf } from './subjects.ts'

/** The number of leaves from which dbt Labs' evaluator speaks of a fan-out is 3; conformed dimensions have more. */
const MOST = 10

/** Healthy dimensions have many readers; so it is off. */
export const fanOut = {
  id: 'SC406',
  name: 'fan-out',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: `${MOST} or more models that nothing reads read the same model`,
  docs: {
    why: 'Reports that are models each repeat a step of their own on the same rows, and drift apart.',
    example: {
      language: 'sql',
      code: "-- rpt_orders_by_day.sql, rpt_orders_by_week.sql, … one for each question\nselect day, count(*) from {{ ref('fct_orders') }} group by 1",
    },
    remedy: 'Let the tool for reports group and filter, or put what the reports share into one model.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const leaves = project.graph
        .childrenOf(model)
        .filter((child) => child.kind === 'model' && project.graph.childrenOf(child).length === 0)
      if (leaves.length < MOST) return []
      return [
        {
          message: `${leaves.length} models that nothing reads read ${model.name}: ${list(leaves.map(({ name }) => name))}`,
          place: placeOf(project, model),
          subject: subjectOf(model),
        },
      ]
    }),
} satisfies Rule
