import { parseType } from '@stagecraft/core/run'
import type { LintProject } from '../project/lint-project.ts'
import { asMap } from '../project/model-config.ts'
import type { Rule } from '../rule.ts'
import { checkStructures, findColumn } from './columns.ts'

/** Checks only columns with a cast. */
export const contractType = {
  id: 'SC305',
  name: 'contract-type',
  group: 'properties',
  severity: 'error',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: 'the type of a column in a contract differs from its cast in SQL',
  docs: {
    why: 'dbt compares the two when it builds the model, and fails.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: dim_customers # selects cast(since as date) as since\n    config: { contract: { enforced: true } }\n    columns:\n      - name: since\n        data_type: timestamp',
    },
    remedy: 'If the SQL is right, change the contract. Check first who relies on it.',
  },
  fix: { safety: 'unsafe', summary: 'writes the type of the cast' },
  check: (project) =>
    checkStructures(project, ({ model, structure, subject }) => {
      const contract = project.configOf(model, 'contract')
      const isEnforced = contract.status === 'set' && asMap(contract.value)['enforced'] === true
      const entry = project.entryOf(model)
      if (!isEnforced || !entry || model.kind !== 'model' || model.version !== undefined) return []
      return entry.entries('columns').flatMap((column) => {
        const cast = findColumn(structure.columns, column.name)?.casts.at(-1)
        const declared = column.get('data_type')
        if (!cast || typeof declared !== 'string' || isSameType(project, declared, cast.type)) return []
        const edit = {
          kind: 'set-property',
          owner: { list: 'models', name: model.name },
          column: column.name,
          key: 'data_type',
          value: cast.type,
          replaces: declared,
        } as const
        return [
          {
            message: `the contract of ${model.name} says that ${column.name} is ${declared}, but its SQL casts it to ${cast.type}`,
            place: column.place,
            subject: subject(column.name),
            fix: {
              safety: 'unsafe' as const,
              summary: `write ${cast.type}`,
              edit: { kind: 'yaml' as const, path: column.place.path, edits: [edit] },
            },
          },
        ]
      })
    }),
} satisfies Rule

/** Warehouses have several names for one type, so families are compared, and digits of decimals. */
function isSameType({ dialect }: LintProject, one: string, other: string): boolean {
  const [a, b] = [parseType(one, dialect), parseType(other, dialect)]
  return !a.known || !b.known || a.family === b.family
}
