import type { Hit, Rule, Unchecked } from '../rule.ts'
import { list, placeAt } from './subjects.ts'

/** Off by default: few projects declare every table of a schema. One finding per source. */
export const undeclaredTable = {
  id: 'SC113',
  name: 'undeclared-table',
  group: 'sources',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'catalog'],
  summary: 'the schema of a source has tables that the source does not declare',
  docs: {
    why: 'Readers of the project cannot know that the data exists.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop # the schema has refunds too\n    tables:\n      - name: orders',
    },
    remedy: 'Declare them. `stagecraft plan` then stages them too.',
  },
  fix: { safety: 'unsafe', summary: 'declares the tables' },
  check: (project) => {
    const named = Map.groupBy(project.index.sources, ({ name }) => name)
    return [...named].flatMap(([name, parts]): readonly (Hit | Unchecked)[] => {
      const subject = { kind: 'source', name } as const
      const there = project.raw.tablesIn(name)
      const [first] = parts
      if (!there || !first) return [{ subject, unchecked: 'the catalog does not have its schema' }]
      const declared = new Set(
        parts.flatMap(({ tables }) => tables.map(({ identifier }) => identifier.toLowerCase())),
      )
      const missing = there
        .flatMap((table) => table.name ?? [])
        .filter((table) => !declared.has(table.toLowerCase()))
      if (missing.length === 0) return []
      const edits = missing.map(
        (table) => ({ kind: 'add-table', source: name, table: { name: table } }) as const,
      )
      return [
        {
          message: `the schema of source ${name} has tables that are not declared: ${list(missing)}`,
          place: placeAt(project, first.path, first.line),
          subject,
          fix: { safety: 'unsafe', summary: 'declare them', edit: { kind: 'yaml', path: first.path, edits } },
        },
      ]
    })
  },
} satisfies Rule
