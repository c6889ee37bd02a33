import type { LintProject } from '../project/lint-project.ts'
import type { Hit, Rule } from '../rule.ts'
import { checkRawTables, type DeclaredTable, familyOf, rawColumn } from './raw-columns.ts'
import { placeAt } from './subjects.ts'

/** Widths change all the time; families rarely change without a reason. */
export const changedType = {
  id: 'SC104',
  name: 'changed-type',
  group: 'sources',
  severity: 'warning',
  isDefault: true,
  needs: ['files', 'raw-tables'],
  summary: 'the type of a raw column differs from YAML, or from when its model was generated',
  docs: {
    why: 'Casts in the staging model fail or lose digits, and tests compare values of different types.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n        columns:\n          - name: placed # varchar in the warehouse\n            data_type: timestamp',
    },
    remedy: 'Correct `data_type`, and review the casts of the model.',
  },
  fix: { safety: 'safe', summary: 'writes the type of the warehouse into YAML, if YAML states a type' },
  check: (project) =>
    checkRawTables(project, (declared, raw) => {
      const former = project.raw.formerOf(declared.source.name, declared.table.name)
      return raw.columns.flatMap((column) => {
        const entry = declared.entry
          ?.entries('columns')
          .find(({ name }) => name.toLowerCase() === column.name.toLowerCase())
        const said = entry?.get('data_type')
        if (entry && typeof said === 'string')
          return isOther(project, said, column.type)
            ? [wrongYaml(declared, { name: entry.name, place: entry.place, said, type: column.type })]
            : []
        const was = former && rawColumn(former, column.name)?.type
        if (was === undefined || !isOther(project, was, column.type)) return []
        return [
          {
            message: `${declared.name}.${column.name} was ${was} when its model was generated, and is now ${column.type}`,
            place: placeAt(project, declared.table.path, declared.table.line),
            subject: declared.subject(column.name),
          },
        ]
      })
    }),
} satisfies Rule

interface Said {
  readonly name: string
  readonly place: Hit['place']
  readonly said: string
  readonly type: string
}

function wrongYaml({ name: table, owner, subject }: DeclaredTable, { name, place, said, type }: Said): Hit {
  const edit = {
    kind: 'set-property',
    owner,
    column: name,
    key: 'data_type',
    value: type,
    replaces: said,
  } as const
  return {
    message: `YAML says that ${table}.${name} is ${said}, but it is ${type}`,
    place,
    subject: subject(name),
    fix: {
      safety: 'safe',
      summary: `write ${type}`,
      edit: { kind: 'yaml', path: place.path, edits: [edit] },
    },
  }
}

/**
 * Timestamps with and without zone are two kinds. Whole numbers and decimals are one, because warehouses name them
 * differently.
 */
function isOther(project: LintProject, one: string, other: string): boolean {
  const [a, b] = [familyOf(project, one), familyOf(project, other)]
  const isNumber = ({ family }: typeof a): boolean => family === 'integer' || family === 'decimal'
  return a.known && b.known && a.family !== b.family && !(isNumber(a) && isNumber(b))
}
