import type { Rule } from '../rule.ts'
import { declaredTables } from './raw-columns.ts'
import { placeAt } from './subjects.ts'

/** Off by default: its data is as old as the last run of `dbt source freshness`. */
export const staleSource = {
  id: 'SC112',
  name: 'stale-source',
  group: 'sources',
  severity: 'warning',
  isDefault: false,
  needs: ['files', 'freshness'],
  summary: 'the rows of a source were older than `error_after` at the last freshness check',
  docs: {
    why: 'The loader has stopped, and models are built from old rows.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders # target/sources.json: error\n        freshness:\n          error_after: { count: 1, period: day }',
    },
    remedy: 'Check the loader, then run `dbt source freshness` again.',
  },
  check: (project) =>
    declaredTables(project).flatMap(({ name, subject, table }) => {
      const found = project.freshness.get(name)
      if (found?.status !== 'error' && found?.status !== 'runtime error') return []
      const newest = found.newest === undefined ? 'of unknown age' : `from ${found.newest}`
      return [
        {
          message: `the newest row of ${name} was ${newest} when dbt checked (${found.checked ?? 'at an unknown time'})`,
          place: placeAt(project, table.path, table.line),
          subject: subject(),
        },
      ]
    }),
} satisfies Rule
