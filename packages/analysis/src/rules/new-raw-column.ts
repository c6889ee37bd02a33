import { compareTables, type IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { checkRawTables } from './raw-columns.ts'
import { builtModels, list, placeAt } from './subjects.ts'

/** Only tables with generated models have an earlier state. */
export const newRawColumn = {
  id: 'SC102',
  name: 'new-raw-column',
  group: 'sources',
  severity: 'warning',
  isDefault: true,
  needs: ['files', 'catalog'],
  summary: 'a raw table has columns that were added after its model was generated',
  docs: {
    why: 'Downstream models cannot read them until the staging model selects them.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders # has a new column coupon\n        columns:\n          - name: id',
    },
    remedy: 'Run `stagecraft plan` and `stagecraft apply`: they add the columns to the model.',
  },
  fix: { safety: 'safe', summary: 'adds the columns to YAML, if the source lists its columns there' },
  check: (project) =>
    checkRawTables(project, ({ entry, name, owner, source, subject, table }, raw) => {
      const former = project.raw.formerOf(source.name, table.name)
      if (!former)
        return [
          {
            subject: subject(),
            unchecked: 'nothing was generated from it, so its earlier columns are not known',
          },
        ]
      const isPassedOn = passedOn(project, source.name, table.name)
      const added = compareTables(former, raw).flatMap(({ column, kind }) =>
        kind === 'added' && column !== undefined && !isPassedOn(column) ? [column] : [],
      )
      if (added.length === 0) return []
      const unread = mayPassOn(project, source.name, table.name)
      if (unread !== undefined) return [{ subject: subject(), unchecked: unread }]
      const listed = new Set(entry?.entries('columns').map((column) => column.name.toLowerCase()))
      const edits = added
        .filter((column) => !listed.has(column.toLowerCase()))
        .map((column) => ({ kind: 'add-column', owner, column: { name: column } }) as const)
      if (listed.size > 0 && edits.length === 0) return []
      return [
        {
          message: `${name} has new columns: ${list(added)}`,
          place: placeAt(project, table.path, table.line),
          subject: subject(),
          ...(listed.size > 0 && {
            fix: {
              safety: 'safe' as const,
              summary: 'add them to the YAML of the source',
              edit: { kind: 'yaml' as const, path: table.path, edits },
            },
          }),
        },
      ]
    }),
} satisfies Rule

/** Tells columns that a model already gives: somebody has added them by hand, or it selects `*`. */
function passedOn(project: LintProject, source: string, table: string): (column: string) => boolean {
  const given = readersOf(project, source, table)
    .flatMap((model) => {
      const structure = project.structure.of(model)
      return structure.status === 'read' ? structure.columns.flatMap(({ sources }) => sources) : []
    })
    .flatMap(({ column, relation }) =>
      relation.kind === 'source' && relation.source === source && relation.table === table
        ? [column.toLowerCase()]
        : [],
    )
  const known = new Set(given)
  return (column) => known.has(column.toLowerCase())
}

function readersOf(project: LintProject, source: string, table: string): readonly IndexedModel[] {
  return builtModels(project).filter(({ reads }) =>
    reads.some((read) => read.source === source && read.table === table),
  )
}

/** Says which model may give the new columns already: its columns are only known when dbt runs. */
function mayPassOn(project: LintProject, source: string, table: string): string | undefined {
  if (!project.has.has('structure')) return undefined
  for (const model of readersOf(project, source, table)) {
    const structure = project.structure.of(model)
    const reason =
      structure.status === 'unread'
        ? structure.reason
        : structure.gaps.find((gap) => !gap.startsWith('the columns of '))
    if (reason !== undefined) return `${model.name} may select them: ${reason}`
  }
  return undefined
}
