import type { Rule } from '../rule.ts'
import { UNKNOWN_COLUMN_FIX, UNKNOWN_COLUMN_REMEDY, unknownColumns } from './unknown-column.ts'

/** Descriptions of renamed or dropped columns stay behind without a warning. */
export const describedColumnMissing = {
  id: 'SC301',
  name: 'described-column-missing',
  group: 'properties',
  severity: 'warning',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'YAML describes a column that the model does not have',
  docs: {
    why: 'dbt accepts the description silently. Readers look for a column that does not exist, and the column that replaced it has no description.',
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
