import { provenKey } from '@stagecraft/core/run'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { readTests } from './columns.ts'
import { addTests, checkStaged, outputOf, rawColumn, type StagedTable, testNames } from './raw-columns.ts'
import { placeOf } from './subjects.ts'

/** Returns the declared key, else the one that `stagecraft apply --observe` found in the rows. */
export const untestedKey = {
  id: 'SC107',
  name: 'untested-key',
  group: 'sources',
  severity: 'warning',
  isDefault: true,
  needs: ['files', 'structure', 'raw-tables'],
  summary: 'the key of a raw table is not tested in its staging model',
  docs: {
    why: 'Every join relies on the key. If neither the loader nor the warehouse enforces it, duplicate rows get in and inflate sums.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # the primary key of shop.orders is id\n    columns:\n      - name: order_id',
    },
    remedy:
      'Add the tests `unique` and `not_null`; for a key of several columns, a test of their combination.',
  },
  fix: { safety: 'safe', summary: 'adds the tests to a key of one column' },
  check: (project) =>
    checkStaged(project, (staged) => {
      const { declared, model, subject } = staged
      const { columns, isSeen } = keyOf(project, staged)
      const [name, ...others] = columns
      const what = isSeen ? `the key found in the rows of ${declared.name}` : `the key of ${declared.name}`
      if (name === undefined || hasModelTest(project.entryOf(model))) return []
      const place = project.entryOf(model)?.place ?? placeOf(project, model)
      if (others.length > 0)
        return [
          {
            message: `${what} (${[name, ...others].join(', ')}) is not tested in ${model.name}`,
            place,
            subject: subject('key'),
          },
        ]
      const output = outputOf(staged, name)
      if (!output) return [{ subject: subject(name), unchecked: noOutput(staged, name) }]
      const known = testNames(project, model, output.name)
      const tests = ['unique', 'not_null'].filter((test) => !known.has(test))
      if (tests.length === 0) return []
      const fix = addTests(project, model, { column: output.name, tests })
      return [
        {
          message: `${what}, ${model.name}.${output.name}, has no test ${tests.join(' and ')}`,
          place,
          subject: subject(output.name),
          ...(fix && { fix }),
        },
      ]
    }),
} satisfies Rule

interface RawKey {
  readonly columns: readonly string[]
  /** True for a key from the rows. */
  readonly isSeen: boolean
}

function keyOf({ raw: tables }: LintProject, { declared: { source, table }, raw }: StagedTable): RawKey {
  if (raw.primaryKey && raw.primaryKey.length > 0) return { columns: raw.primaryKey, isSeen: false }
  const observed = tables.observedOf(source.name, table.name)
  const columns = (observed && provenKey(observed)?.columns) ?? []
  const isThere = columns.every((name) => rawColumn(raw, name))
  return { columns: isThere ? columns : [], isSeen: true }
}

function noOutput({ model }: StagedTable, name: string): string {
  return `${model.name} does not select ${name} unchanged`
}

/** Returns true for a model test that columns are unique together. */
function hasModelTest(entry: Parameters<typeof readTests>[0] | undefined): boolean {
  return entry !== undefined && readTests(entry).some(({ name }) => /unique|primary_key/.test(name))
}
