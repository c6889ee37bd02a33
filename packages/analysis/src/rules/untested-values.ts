import type { Rule } from '../rule.ts'
import { addTests, checkStaged, outputOf, testNames, testWith } from './raw-columns.ts'
import { placeOf } from './subjects.ts'

/** Off by default: a list that the warehouse enforces needs no test in staging. */
export const untestedValues = {
  id: 'SC109',
  name: 'untested-values',
  group: 'sources',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'the raw table lists the allowed values of a column, but no accepted_values test does',
  docs: {
    why: 'A new value falls through every `case` downstream. A migration of the raw table may add one unnoticed.',
    example: {
      language: 'yaml',
      code: "models:\n  - name: stg_shop__orders # check (status in ('open', 'paid'))\n    columns:\n      - name: status",
    },
    remedy: 'Add the test `accepted_values`.',
  },
  fix: { safety: 'safe', summary: 'adds the test' },
  check: (project) =>
    checkStaged(project, (staged) => {
      const { declared, model, raw, subject } = staged
      return raw.columns.flatMap(({ name, values }) => {
        const output = values ? outputOf(staged, name) : undefined
        if (
          !values ||
          output?.kind !== 'direct' ||
          testNames(project, model, output.name).has('accepted_values')
        )
          return []
        const quote = values.every((value) => typeof value === 'string') ? {} : { quote: false }
        const test = testWith(project, 'accepted_values', { values: [...values], ...quote })
        const fix = addTests(project, model, { column: output.name, tests: [test] })
        return [
          {
            message: `${declared.name}.${name} allows ${values.length} listed values, but ${model.name}.${output.name} has no accepted_values test`,
            place: project.entryOf(model)?.place ?? placeOf(project, model),
            subject: subject(output.name),
            ...(fix && { fix }),
          },
        ]
      })
    }),
} satisfies Rule
