import type { Rule } from '../rule.ts'
import { checkStaged } from './raw-columns.ts'
import { placeOf } from './subjects.ts'

/** Columns with which loaders mark deleted rows; see the pages of Fivetran, Airbyte, Stitch and Debezium on deletes. */
const MARKS = new Set([
  '_fivetran_deleted',
  '_airbyte_ab_deleted_at',
  '_ab_cdc_deleted_at',
  '_sdc_deleted_at',
  '__deleted',
  '_dms_deleted',
])

/** Off by default: a mart may filter them later. */
export const deletedRows = {
  id: 'SC115',
  name: 'deleted-rows',
  group: 'sources',
  severity: 'warning',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'the loader marks deleted rows, but the staging model ignores the mark',
  docs: {
    why: 'Rows that were deleted at the origin stay in the raw table, and are counted and summed with the rest.',
    example: {
      language: 'sql',
      code: "select id, amount -- the table has _fivetran_deleted\nfrom {{ source('shop', 'orders') }}",
    },
    remedy: 'Filter on the mark, or select it.',
  },
  check: (project) =>
    checkStaged(project, ({ declared, model, raw, structure, subject }) => {
      const mark = raw.columns.find(({ name }) => MARKS.has(name.toLowerCase()))
      const isRead = [...structure.reads, ...structure.columns.flatMap(({ sources }) => sources)].some(
        ({ column }) => column.toLowerCase() === mark?.name.toLowerCase(),
      )
      if (!mark || isRead) return []
      return [
        {
          message: `${declared.name} marks deleted rows by ${mark.name}, which ${model.name} does not read`,
          place: placeOf(project, model),
          subject: subject(mark.name),
        },
      ]
    }),
} satisfies Rule
