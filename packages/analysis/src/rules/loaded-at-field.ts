import type { Rule } from '../rule.ts'
import type { Fix } from '../vocabulary.ts'
import { asMap } from '../project/model-config.ts'
import type { Entry } from '../project/properties-file.ts'
import { nearest } from './nearest.ts'
import { checkRawTables, type DeclaredTable, familyOf, rawColumn } from './raw-columns.ts'

/** Checks only fields that the table itself sets: a field of the whole source need not exist in every table. */
export const loadedAtField = {
  id: 'SC111',
  name: 'loaded-at-field',
  group: 'sources',
  severity: 'error',
  isDefault: false,
  needs: ['files', 'raw-tables'],
  summary: '`loaded_at_field` names a missing column, or one that is neither a timestamp nor a date',
  docs: {
    why: '`dbt source freshness` reports an error for the table, and stale rows go unnoticed.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n        loaded_at_field: loaded # the column is _loaded_at',
    },
    remedy: 'Name the timestamp column that the loader writes. An expression such as a cast is fine.',
  },
  fix: { safety: 'unsafe', summary: 'writes the closest timestamp or date column' },
  check: (project) =>
    checkRawTables(project, (declared, raw) => {
      const field = fieldOf(declared.entry)
      if (field === undefined || !/^\w+$/.test(field) || raw.columns.length === 0) return []
      const column = rawColumn(raw, field)
      const isTime = (type: string): boolean => {
        const { family, known } = familyOf(project, type)
        return !known || family.startsWith('timestamp') || family === 'date'
      }
      if (column && isTime(column.type)) return []
      const times = raw.columns.filter(({ type }) => familyOf(project, type).family.startsWith('timestamp'))
      const closest = column
        ? undefined
        : nearest(
            field,
            times.map(({ name }) => name),
          )
      const fix = closest === undefined ? undefined : rename(declared, field, closest)
      const what = column
        ? `is ${column.type}, neither a timestamp nor a date`
        : `is not a column of ${declared.name}`
      return [
        {
          message: `loaded_at_field ${field} ${what}`,
          ...(closest !== undefined && { help: `did you mean ${closest}?` }),
          place: declared.entry?.pair('loaded_at_field')?.key ??
            declared.entry?.place ?? { path: declared.table.path, start: 0, end: 0 },
          subject: declared.subject(field),
          ...(fix && { fix }),
        },
      ]
    }),
} satisfies Rule

function fieldOf(entry: Entry | undefined): string | undefined {
  const field = entry?.get('loaded_at_field') ?? asMap(entry?.get('config'))['loaded_at_field']
  return typeof field === 'string' ? field.trim() : undefined
}

function rename(
  { entry, owner, table: { path } }: DeclaredTable,
  field: string,
  closest: string,
): Fix | undefined {
  if (entry?.get('loaded_at_field') !== field) return undefined
  const edit = {
    kind: 'set-property',
    owner,
    key: 'loaded_at_field',
    value: closest,
    replaces: field,
  } as const
  return { safety: 'unsafe', summary: `write ${closest}`, edit: { kind: 'yaml', path, edits: [edit] } }
}
