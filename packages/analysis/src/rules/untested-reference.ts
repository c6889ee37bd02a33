import type { KeyReference } from '@stagecraft/spec'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { addTests, checkStaged, outputOf, type StagedTable, testNames, testWith } from './raw-columns.ts'
import { placeOf } from './subjects.ts'

/** Off by default: relationships of a whole schema make many tests. */
export const untestedReference = {
  id: 'SC108',
  name: 'untested-reference',
  group: 'sources',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'a foreign key of a raw table has no relationships test, though both tables are staged',
  docs: {
    why: 'Tables are loaded one after another. Rows whose parent has not arrived yet silently drop out of inner joins.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # customer_id refers to customers.id\n    columns:\n      - name: customer_id',
    },
    remedy: 'Add the test `relationships`.',
  },
  fix: { safety: 'safe', summary: 'adds the test' },
  check: (project) => {
    const staged: StagedTable[] = []
    const unchecked = checkStaged(project, (one) => {
      staged.push(one)
      return []
    })
    return [
      ...unchecked,
      ...staged.flatMap((child) =>
        (child.raw.foreignKeys ?? []).flatMap(({ columns: [name, ...others], references }) => {
          const output = name === undefined || others.length > 0 ? undefined : outputOf(child, name)
          const parent = staged.find((one) => isParent(one, references, child))
          const field = parent && outputOf(parent, references.columns[0] ?? '')
          const { model, subject } = child
          if (!output || !parent || !field || testNames(project, model, output.name).has('relationships'))
            return []
          return [
            toHit(project, {
              child,
              column: output.name,
              field: field.name,
              parent: parent.model.name,
              subject,
            }),
          ]
        }),
      ),
    ]
  },
} satisfies Rule

interface Reference {
  readonly child: StagedTable
  readonly column: string
  readonly parent: string
  readonly field: string
  readonly subject: StagedTable['subject']
}

function toHit(
  project: LintProject,
  { child: { model }, column, field, parent, subject }: Reference,
): ReturnType<typeof checkStaged>[number] {
  const test = testWith(project, 'relationships', { to: `ref('${parent}')`, field })
  const fix = addTests(project, model, { column, tests: [test] })
  return {
    message: `${model.name}.${column} refers to ${parent}.${field}, but has no relationships test`,
    place: project.entryOf(model)?.place ?? placeOf(project, model),
    subject: subject(column),
    ...(fix && { fix }),
  }
}

/** A reference without a schema means the schema of its own table. */
function isParent({ raw }: StagedTable, { columns, table }: KeyReference, child: StagedTable): boolean {
  const schema = table.schema ?? child.raw.schema
  return columns.length === 1 && raw.name === table.name && (raw.schema ?? schema) === schema
}
