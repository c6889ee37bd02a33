import type { Hit, Rule, Unchecked } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { type DeclaredTable, declaredTables } from './raw-columns.ts'
import { nearest } from './nearest.ts'
import { placeAt } from './subjects.ts'

/** dbt knows of it when it runs. */
export const sourceWithoutTable = {
  id: 'SC101',
  name: 'source-without-table',
  group: 'sources',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'catalog'],
  summary: 'a source declares a table that the warehouse does not have',
  docs: {
    why: 'Every model that reads it fails when dbt builds it, and its tests and freshness with it.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: ordres # the warehouse has shop.orders',
    },
    remedy: 'Correct the name, set `identifier`, or remove the table.',
  },
  fix: { safety: 'unsafe', summary: 'sets `identifier` to the closest name of the schema' },
  check: (project) =>
    declaredTables(project).flatMap((declared): readonly (Hit | Unchecked)[] => {
      const { name, source, subject, table } = declared
      if (project.raw.tableOf(source.name, table.name)) return []
      const there = project.raw.tablesIn(source.name)
      if (!there)
        return [
          {
            subject: subject(),
            unchecked: `the catalog has no schema ${source.schema ?? source.written.schema ?? ''}`,
          },
        ]
      const closest = nearest(
        table.identifier,
        there.flatMap((one) => one.name ?? []),
      )
      const fix = closest === undefined ? undefined : identify(declared, closest)
      return [
        {
          message: `there is no table ${table.identifier} in schema ${source.schema ?? ''}, which ${name} reads`,
          help: closest === undefined ? 'correct the name, or remove the table' : `did you mean ${closest}?`,
          place: placeAt(project, table.path, table.line),
          subject: subject(),
          ...(fix && { fix }),
        },
      ]
    }),
} satisfies Rule

function identify({ entry, owner, table }: DeclaredTable, identifier: string): Fix {
  const written = entry?.get('identifier')
  const replaces = typeof written === 'string' && { replaces: written }
  const edit = { kind: 'set-property', owner, key: 'identifier', value: identifier, ...replaces } as const
  return {
    safety: 'unsafe',
    summary: `set identifier to ${identifier}`,
    edit: { kind: 'yaml', path: table.path, edits: [edit] },
  }
}
