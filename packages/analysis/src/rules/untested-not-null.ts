import type { Rule } from '../rule.ts'
import { addTests, checkStaged, outputOf, testNames } from './raw-columns.ts'
import { placeOf } from './subjects.ts'

/** Off by default: most projects test only keys. */
export const untestedNotNull = {
  id: 'SC106',
  name: 'untested-not-null',
  group: 'sources',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a key that the raw table declares NOT NULL has no not_null test',
  docs: {
    why: 'Joins lose rows whose key is null. The warehouse declares that there are none, and the test verifies it.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # customer_id is NOT NULL and refers to customers\n    columns:\n      - name: customer_id',
    },
    remedy: 'Add the test `not_null`.',
  },
  fix: { safety: 'safe', summary: 'adds the test' },
  check: (project) =>
    checkStaged(project, (staged) => {
      const { declared, model, raw, subject } = staged
      const keys = new Set([
        ...(raw.primaryKey ?? []),
        ...(raw.foreignKeys ?? []).flatMap(({ columns }) => columns),
      ])
      return raw.columns.flatMap(({ name, nullable }) => {
        const output = keys.has(name) && nullable === false ? outputOf(staged, name) : undefined
        if (!output || testNames(project, model, output.name).has('not_null')) return []
        const fix = addTests(project, model, { column: output.name, tests: ['not_null'] })
        return [
          {
            message: `${declared.name}.${name} is NOT NULL, but ${model.name}.${output.name} has no not_null test`,
            place: project.entryOf(model)?.place ?? placeOf(project, model),
            subject: subject(output.name),
            ...(fix && { fix }),
          },
        ]
      })
    }),
} satisfies Rule
