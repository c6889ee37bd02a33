import { isDeepStrictEqual } from 'node:util'
import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import type { OutputColumn } from '../structure/sql-structure.ts'
import type { Fix } from '../vocabulary.ts'
import { checkStructures } from './columns.ts'
import { selectItemOf } from './select-item.ts'

/** Two columns of one name: warehouses refuse the table, or rename one of them. */
export const duplicateOutput = {
  id: 'SC209',
  name: 'duplicate-output',
  group: 'staging',
  severity: 'error',
  isDefault: true,
  needs: ['files', 'structure'],
  summary: 'a model gives two columns of the same name',
  docs: {
    why: 'Most warehouses refuse such a table when it is built, and some rename one column silently. Names that differ in case only are the same to most of them.',
    example: {
      language: 'sql',
      code: "select o.*, c.*\nfrom {{ ref('stg_shop__orders') }} as o\njoin {{ ref('stg_shop__customers') }} as c on o.customer_id = c.customer_id",
    },
    remedy: 'Give one of them another name, or leave it out.',
  },
  fix: {
    safety: 'unsafe',
    summary:
      'takes out the second of two that are the same column of the same relation; another name is for a person to find',
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
            message: `${model.name} gives the column ${name} ${others.length + 1} times`,
            place: second.place,
            subject: subject(name),
            ...(fix && { fix }),
          },
        ]
      })
    }),
} satisfies Rule

/** Takes the second of two columns out of its list when both are the same column as it is; undefined for all others. */
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
    summary: `take out the second ${second.name}`,
    edit: { kind: 'text', edits: [{ path: model.path, ...twin.withComma, text: '' }] },
  }
}

function isSameRead({ sources: [a] }: OutputColumn, { sources: [b] }: OutputColumn): boolean {
  return (
    a !== undefined && b !== undefined && a.column === b.column && isDeepStrictEqual(a.relation, b.relation)
  )
}
