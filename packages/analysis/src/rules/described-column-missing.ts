import type { Rule } from '../rule.ts'
import { UNKNOWN_COLUMN_FIX, UNKNOWN_COLUMN_REMEDY, unknownColumns } from './unknown-column.ts'

/** Docs of a column that was renamed or dropped stay behind without a warning. */
export const describedColumnMissing = {
  id: 'SC301',
  name: 'described-column-missing',
  group: 'properties',
  severity: 'warning',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'YAML describes a column that the model does not have',
  docs: {
    why: 'dbt keeps the description of a column that is not there and says nothing: readers look for it, and the column that took its place has no description.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # selects order_id\n    columns:\n      - name: id\n        description: Key of the order.',
    },
    remedy: UNKNOWN_COLUMN_REMEDY,
  },
  fix: UNKNOWN_COLUMN_FIX,
  check: (project) =>
    unknownColumns(project, {
      isTested: false,
      message: (column, model) => `${model} has no column ${column}`,
    }),
} satisfies Rule
