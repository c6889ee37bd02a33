import type { Rule } from '../rule.ts'
import { UNKNOWN_COLUMN_FIX, UNKNOWN_COLUMN_REMEDY, unknownColumns } from './unknown-column.ts'

/** A test on a column that is not there fails in the warehouse, after everything was built. */
export const testedColumnMissing = {
  id: 'SC304',
  name: 'tested-column-missing',
  group: 'properties',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'a test is on a column that the model does not have',
  docs: {
    why: 'dbt finds out in the warehouse, when the model is built already: the test ends with an error, and what it was written for is not tested.',
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
      message: (column, model) => `a test is on the column ${column}, which ${model} does not have`,
    }),
} satisfies Rule
