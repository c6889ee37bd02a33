import type { IndexedModel } from '@stagecraft/dbt'
import type { LintProject } from '../project/lint-project.ts'
import type { Rule } from '../rule.ts'
import { bare, checkStructures, findColumn } from './columns.ts'

const LISTS = { model: 'models', seed: 'seeds', snapshot: 'snapshots' } as const

/** Off by default: a description may say more downstream. */
export const driftingDescription = {
  id: 'SC307',
  name: 'drifting-description',
  group: 'properties',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: 'an unchanged column has another description than the column it comes from',
  docs: {
    why: 'The values are the same, but readers of the two models get different descriptions.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: dim_customers # passes country on from stg_shop__customers\n    columns:\n      - name: country\n        description: Where the parcel goes. # there: Country of residence.',
    },
    remedy: 'Keep one of them. A docs block can serve both.',
  },
  fix: { safety: 'unsafe', summary: 'copies the description of the column that it comes from' },
  check: (project) =>
    checkStructures(project, ({ model, structure, subject }) => {
      const entry = project.entryOf(model)
      if (!entry || model.version !== undefined) return []
      return entry.entries('columns').flatMap((column) => {
        const output = findColumn(structure.columns, column.name)
        const [source, ...others] = output?.kind === 'direct' ? output.sources : []
        if (
          source?.relation.kind !== 'model' ||
          others.length > 0 ||
          bare(column.name).toLowerCase() !== source.column.toLowerCase()
        )
          return []
        const [here, there] = [
          column.get('description'),
          descriptionOf(project, source.relation.model, source.column),
        ]
        if (typeof here !== 'string' || here.trim() === '' || there === undefined || isSame(here, there))
          return []
        const edit = {
          kind: 'set-property',
          owner: { list: LISTS[model.kind], name: model.name },
          column: column.name,
          key: 'description',
          value: there,
          replaces: here,
        } as const
        return [
          {
            message: `${model.name}.${column.name} has another description than in ${source.relation.model.name}, where it comes from`,
            place: column.place,
            subject: subject(column.name),
            fix: {
              safety: 'unsafe' as const,
              summary: 'copy that description',
              edit: { kind: 'yaml' as const, path: column.place.path, edits: [edit] },
            },
          },
        ]
      })
    }),
} satisfies Rule

function descriptionOf(project: LintProject, model: IndexedModel, name: string): string | undefined {
  const wanted = name.toLowerCase()
  const column = project
    .entryOf(model)
    ?.entries('columns')
    .find((one) => bare(one.name).toLowerCase() === wanted)
  const text = column?.get('description')
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

function isSame(a: string, b: string): boolean {
  return a.replaceAll(/\s+/g, ' ').trim() === b.replaceAll(/\s+/g, ' ').trim()
}
