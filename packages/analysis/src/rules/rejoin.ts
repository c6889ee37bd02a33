import type { Rule } from '../rule.ts'
import { builtModels, placeOfRead, subjectOf } from './subjects.ts'

/** Often on purpose; so it is off. */
export const rejoin = {
  id: 'SC405',
  name: 'rejoin',
  group: 'graph',
  severity: 'info',
  isDefault: false,
  needs: ['files'],
  summary: 'a model reads another one both directly and through a model that nothing else reads',
  docs: {
    why: 'The model between adds something for one reader alone, who then joins the same rows again: the two are one step cut in two, and the join runs twice.',
    example: {
      language: 'sql',
      code: "-- fct_orders.sql; int_orders_paid reads stg_shop__orders and has no other reader\nselect *\nfrom {{ ref('stg_shop__orders') }}\njoin {{ ref('int_orders_paid') }} using (order_id)",
    },
    remedy: 'Let the model between pass on what is needed, or make it a part of its reader.',
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
