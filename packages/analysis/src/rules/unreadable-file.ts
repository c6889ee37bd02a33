import type { Rule } from '../rule.ts'
import { placeAt } from './subjects.ts'

/** What cannot be read is not checked, and says so. */
export const unreadableFile = {
  id: 'SC903',
  name: 'unreadable-file',
  group: 'lint',
  severity: 'error',
  isDefault: true,
  needs: ['files'],
  summary: 'a file cannot be read, or dbt refuses what it says',
  docs: {
    why: 'Nothing in it is checked, and dbt stops there.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n      - name: orders',
    },
    remedy: 'Correct the file.',
  },
  check: (project) =>
    [...project.index.faults, ...project.index.twins].map(({ line, path, reason }) => ({
      message: reason.split('\n')[0] ?? reason,
      place: placeAt(project, path, line),
      subject: { kind: 'file', name: path, detail: reason.split('\n')[0] ?? '' },
    })),
} satisfies Rule
