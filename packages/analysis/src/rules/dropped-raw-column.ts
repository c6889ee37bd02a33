import type { Rule } from '../rule.ts'
import { missingRawColumns } from './missing-raw-column.ts'

/** The lock knows that it was there, so this is no slip of the pen. */
export const droppedRawColumn = {
  id: 'SC103',
  name: 'dropped-raw-column',
  group: 'sources',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure', 'catalog'],
  summary: 'a model reads a column that was dropped from its raw table',
  docs: {
    why: 'dbt fails when it builds the model, and everything below is not built.',
    example: {
      language: 'sql',
      code: "select id, coupon -- was dropped\nfrom {{ source('shop', 'orders') }}",
    },
    remedy:
      'Run `stagecraft plan`: `COLUMN_GONE` names the model, and `stagecraft apply --prune` takes out what was generated for the column. Take out by hand what you wrote about it.',
  },
  fix: { safety: 'unsafe', summary: 'writes the closest name that the table has' },
  check: (project) =>
    missingRawColumns(project, {
      wasThere: true,
      message: (column, table) => `the column ${column} was dropped from ${table}`,
    }),
} satisfies Rule
