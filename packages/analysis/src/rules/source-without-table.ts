import type { Hit, Rule, Unchecked } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { isExternalFile } from '../project/source-config.ts'
import { type DeclaredTable, declaredTables } from './raw-columns.ts'
import { nearest } from './nearest.ts'
import { isWorkedOut, placeAt } from './subjects.ts'

/** dbt only notices when it runs. */
export const sourceWithoutTable = {
  id: 'SC101',
  name: 'source-without-table',
  group: 'sources',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'catalog'],
  summary: 'a source declares a table that the warehouse does not have',
  docs: {
    why: 'Every model that reads it fails, and so do its tests and freshness checks.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: ordres # the warehouse has shop.orders',
    },
    remedy: 'Correct the name, set `identifier`, or remove the table.',
  },
  fix: { safety: 'unsafe', summary: 'sets `identifier` to the closest table name of the schema' },
  check: (project) =>
    declaredTables(project).flatMap((declared): readonly (Hit | Unchecked)[] => {
      const { name, source, subject, table } = declared
      if (project.raw.tableOf(source.name, table.name)) return []
      const elsewhere = whereElse(declared)
      if (elsewhere !== undefined) return [{ subject: subject(), unchecked: elsewhere }]
      const there = project.raw.tablesIn(source.name)
      if (!there)
        return [
          {
            subject: subject(),
            unchecked: `the catalog has no schema ${source.schema ?? source.written.schema ?? ''}`,
          },
        ]
      if (there.some((one) => isShard(one.name ?? '', table.identifier))) return []
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

/** Returns why a declared table need not be in the schema; undefined if it has to be. */
function whereElse(declared: DeclaredTable): string | undefined {
  const { entry, table } = declared
  if (isWorkedOut(table.identifier)) return 'its identifier is only known when dbt runs'
  if (entry?.get('external') !== undefined)
    return 'it is an external table, which dbt creates when it stages external sources'
  return isExternalFile(declared) ? 'its external_location reads it from files' : undefined
}

/** BigQuery reads `events_*` as all tables whose names start like it. */
function isShard(name: string, identifier: string): boolean {
  if (!identifier.endsWith('*')) return false
  return name.toLowerCase().startsWith(identifier.slice(0, -1).toLowerCase())
}

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
