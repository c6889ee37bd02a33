import type { Rule } from '../rule.ts'
import { checkStaged } from './raw-columns.ts'
import { list, placeOf } from './subjects.ts'

/** Leaving columns out is what many staging models are for; so it is off. */
export const droppedColumn = {
  id: 'SC208',
  name: 'dropped-column',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a staging model does not read columns of its raw table',
  docs: {
    why: 'Who needs such a column later reads the raw table around staging, or does not know of it.',
    example: {
      language: 'sql',
      code: "select id as order_id -- the table has status and amount too\nfrom {{ source('shop', 'orders') }}",
    },
    remedy: 'Pass them on, or suppress the finding with the reason.',
    noFix:
      'leaving columns out is a decision, and the name, the cast and the place of a new one are too; `stagecraft apply` adds them to models that it generated.',
  },
  check: (project) =>
    checkStaged(project, ({ declared, model, raw, structure, subject }) => {
      const [gap] = structure.gaps
      if (gap !== undefined) return [{ subject: subject(), unchecked: gap }]
      const read = new Set(
        [...structure.reads, ...structure.columns.flatMap(({ sources }) => sources)].map(({ column }) =>
          column.toLowerCase(),
        ),
      )
      const unread = raw.columns.filter(({ hidden, name }) => !hidden && !read.has(name.toLowerCase()))
      if (unread.length === 0) return []
      return [
        {
          message: `${model.name} leaves out ${list(unread.map(({ name }) => name))} of ${declared.name}`,
          place: placeOf(project, model),
          subject: subject(),
        },
      ]
    }),
} satisfies Rule
