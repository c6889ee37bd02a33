import type { Rule } from '../rule.ts'
import { builtModels, placeOfRead, subjectOf } from './subjects.ts'

/** Off by default: often intended. */
export const rejoin = {
  id: 'SC405',
  name: 'rejoin',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'a model reads another one directly and also through a model that nothing else reads',
  docs: {
    why: 'The intermediate model serves a single reader, which joins the same rows again. The two are really one step, and the join runs twice.',
    example: {
      language: 'sql',
      code: "-- fct_orders.sql; int_orders_paid reads stg_shop__orders and has no other reader\nselect *\nfrom {{ ref('stg_shop__orders') }}\njoin {{ ref('int_orders_paid') }} using (order_id)",
    },
    remedy: 'Select the needed columns in the intermediate model, or merge it into its reader.',
  },
  check: (project) =>
    builtModels(project).flatMap((model) => {
      const parents = project.graph.parentsOf(model)
      return parents.flatMap((between) => {
        const others = project.graph.childrenOf(between)
        if (others.length !== 1 || between.kind !== 'model') return []
        return project.graph
          .parentsOf(between)
          .filter((top) => top !== between && parents.includes(top))
          .map((top) => ({
            message: `${model.name} reads ${top.name} directly and through ${between.name}, which nothing else reads`,
            place: placeOfRead(project, model, top),
            subject: subjectOf(model, `${top.name} ${between.name}`),
          }))
      })
    }),
} satisfies Rule
