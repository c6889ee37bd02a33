import type { Rule } from '../rule.ts'
import { missingRawColumns } from './missing-raw-column.ts'

/** The lock shows that the column existed, so this is not a typing error. */
export const droppedRawColumn = {
  id: 'SC103',
  name: 'dropped-raw-column',
  group: 'sources',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure', 'catalog'],
  summary: 'a model reads a column that was dropped from its raw table',
  docs: {
    why: 'dbt fails when it builds the model, and skips everything downstream.',
    example: {
      language: 'sql',
      code: "select id, coupon -- was dropped\nfrom {{ source('shop', 'orders') }}",
    },
    remedy:
      'Run `stagecraft plan`: `COLUMN_GONE` names the model, and `stagecraft apply --prune` removes the generated code of the column. Remove your own code for it by hand.',
  },
  fix: { safety: 'unsafe', summary: 'writes the closest column name of the table' },
  check: (project) =>
    missingRawColumns(project, {
      wasThere: true,
      message: (column, table) => `the column ${column} was dropped from ${table}`,
    }),
} satisfies Rule
