import type { Rule } from '../rule.ts'
import { readTests } from './columns.ts'
import { checkRawTables, rawColumn } from './raw-columns.ts'

/** Off by default: nulls may never occur. */
export const nullableAgain = {
  id: 'SC105',
  name: 'nullable-again',
  group: 'sources',
  severity: 'warning',
  isDefault: false,
  needs: ['files', 'catalog'],
  summary: 'a raw column may now contain nulls, but a not_null test stops the build',
  docs: {
    why: 'Nulls were allowed on purpose, but the first one stops the build.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n        columns:\n          - name: email # was NOT NULL\n            data_tests: [not_null]',
    },
    remedy: 'Find out what a null means there. Then remove the test, or set `severity: warn`.',
  },
  check: (project) =>
    checkRawTables(project, ({ entry, name: table, source, subject, table: { name } }, raw) => {
      const former = project.raw.formerOf(source.name, name)
      if (!former)
        return [
          {
            subject: subject(),
            unchecked: 'nothing was generated from it, so its earlier columns are not known',
          },
        ]
      return (entry?.entries('columns') ?? []).flatMap((column) => {
        const [was, is] = [rawColumn(former, column.name), rawColumn(raw, column.name)]
        const stops = readTests(column).some((test) => test.name === 'not_null' && test.severity === 'error')
        if (!stops || was?.nullable !== false || !is || is.nullable === false) return []
        return [
          {
            message: `${table}.${column.name} may now contain nulls, and its not_null test stops the build at the first one`,
            place: column.place,
            subject: subject(column.name),
          },
        ]
      })
    }),
} satisfies Rule
