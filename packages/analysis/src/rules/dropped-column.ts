import type { Rule } from '../rule.ts'
import { checkStaged } from './raw-columns.ts'
import { list, placeOf } from './subjects.ts'

/** Off by default: many staging models leave out columns on purpose. */
export const droppedColumn = {
  id: 'SC208',
  name: 'dropped-column',
  group: 'staging',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a staging model leaves out columns of its raw table',
  docs: {
    why: 'People who need such a column later bypass staging and read the raw table, or never learn that it exists.',
    example: {
      language: 'sql',
      code: "select id as order_id -- the table has status and amount too\nfrom {{ source('shop', 'orders') }}",
    },
    remedy: 'Select them, or suppress the finding with a reason.',
    noFix:
      'leaving a column out can be deliberate, and a new one needs a name, a cast and a position. `stagecraft apply` adds columns to models that it generated.',
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
