import { isDeepStrictEqual } from 'node:util'
import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import type { Fix } from '../vocabulary.ts'
import { checkStructures } from './columns.ts'
import { selectItemOf } from './select-item.ts'

/** Warehouses refuse two columns with one name, or rename one of them. */
export const duplicateOutput = {
  id: 'SC209',
  name: 'duplicate-output',
  group: 'staging',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'a model selects two columns with the same name',
  docs: {
    why: 'Most warehouses refuse to build such a table, and some rename one column silently. In most of them, names that differ only in case are the same.',
    example: {
      language: 'sql',
      code: "select o.*, c.*\nfrom {{ ref('stg_shop__orders') }} as o\njoin {{ ref('stg_shop__customers') }} as c on o.customer_id = c.customer_id",
    },
    remedy: 'Rename one of them, or leave it out.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'removes the second one if both are the same column of the same relation; only a person can choose another name',
  },
  check: (project) =>
    checkStructures(project, ({ model, structure, subject }) => {
      const { caseSensitive } = project.dialect.identifiers
      const named = Map.groupBy(structure.columns, ({ name }) => (caseSensitive ? name : name.toLowerCase()))
      return [...named].flatMap(([name, [first, ...others]]) => {
        const [second] = others
        if (!first || !second) return []
        const fix = others.length === 1 ? withoutTwin(project, model, [first, second]) : undefined
        return [
          {
            message: `${model.name} selects the column ${name} ${others.length + 1} times`,
            place: second.place,
            subject: subject(name),
            ...(fix && { fix }),
          },
        ]
      })
    }),
} satisfies Rule

/** Removes the second of two identical columns from its list; undefined for other duplicates. */
function withoutTwin(
  project: LintProject,
  model: IndexedModel,
  [first, second]: readonly [OutputColumn, OutputColumn],
): Fix | undefined {
  if (first.kind !== 'direct' || second.kind !== 'direct' || !isSameRead(first, second)) return undefined
  const items = [selectItemOf(project, model, first), selectItemOf(project, model, second)]
  const [kept, twin] = items
  const isText = kept?.value.map(({ text }) => text).join('') === twin?.value.map(({ text }) => text).join('')
  if (!kept || !twin?.withComma || !isText) return undefined
  return {
    safety: 'unsafe',
    summary: `remove the second ${second.name}`,
    edit: { kind: 'text', edits: [{ path: model.path, ...twin.withComma, text: '' }] },
  }
}

function isSameRead({ sources: [a] }: OutputColumn, { sources: [b] }: OutputColumn): boolean {
  return (
    a !== undefined && b !== undefined && a.column === b.column && isDeepStrictEqual(a.relation, b.relation)
  )
}
