import type { Rule } from '../rule.ts'
import { missingRawColumns } from './missing-raw-column.ts'

/** Finds the error before anything runs, at the place of the name. */
export const unknownRawColumn = {
  id: 'SC204',
  name: 'unknown-raw-column',
  group: 'staging',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a model reads a column that its raw table does not have',
  docs: {
    why: 'dbt fails when it builds the model. The rule checks the columns in every part of the query, conditions included.',
    example: {
      language: 'sql',
      code: "select id, stauts -- the table has status\nfrom {{ source('shop', 'orders') }}",
    },
    remedy: 'Correct the name.',
  },
  fix: { safety: 'unsafe', summary: 'writes the closest column name of the table' },
  check: (project) =>
    missingRawColumns(project, {
      wasThere: false,
      message: (column, table) => `${table} has no column ${column}`,
    }),
} satisfies Rule
