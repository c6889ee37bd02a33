import type { Rule } from '../rule.ts'
import { UNKNOWN_COLUMN_FIX, UNKNOWN_COLUMN_REMEDY, unknownColumns } from './unknown-column.ts'

/** A test on a missing column fails in the warehouse, after everything was built. */
export const testedColumnMissing = {
  id: 'SC304',
  name: 'tested-column-missing',
  group: 'properties',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'a test names a column that the model does not have',
  docs: {
    why: 'dbt notices only in the warehouse, after it has built the model. The test fails with an error and tests nothing.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # selects order_id\n    columns:\n      - name: id\n        data_tests: [unique]',
    },
    remedy: UNKNOWN_COLUMN_REMEDY,
  },
  fix: UNKNOWN_COLUMN_FIX,
  check: (project) =>
    unknownColumns(project, {
      isTested: true,
      message: (column, model) => `a test names the column ${column}, which ${model} does not have`,
    }),
} satisfies Rule
