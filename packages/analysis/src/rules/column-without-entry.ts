import { isSeq } from 'yaml'
import type { Rule } from '../rule.ts'
import { bare, checkColumns } from './columns.ts'
import { list } from './subjects.ts'

const LISTS = { model: 'models', seed: 'seeds', snapshot: 'snapshots' } as const

/** Off by default: most projects describe only columns that matter. It checks models that describe some columns. */
export const columnWithoutEntry = {
  id: 'SC302',
  name: 'column-without-entry',
  group: 'properties',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'structure'],
  summary: 'a model has columns that its YAML does not list, though it lists others',
  docs: {
    why: 'The docs show these columns without a description, and readers assume that the list is complete.',
    example: {
      language: 'yaml',
      code: 'models:\n  - name: stg_shop__orders # selects order_id and status\n    columns:\n      - name: order_id',
    },
    remedy: 'Add an entry for each column.',
  },
  fix: { safety: 'safe', summary: 'adds an entry with the name' },
  check: (project) =>
    checkColumns(project, ({ model, structure, subject }) => {
      const entry = project.entryOf(model)
      const listed = entry?.entries('columns') ?? []
      if (!entry || listed.length === 0 || model.version !== undefined) return []
      const names = new Set(listed.map(({ name }) => bare(name).toLowerCase()))
      const missing = structure.columns
        .map(({ name }) => name)
        .filter((name) => !names.has(name.toLowerCase()))
      if (missing.length === 0) return []
      const isListHere = isSeq(entry.pair('columns')?.value)
      const owner = { list: LISTS[model.kind], name: model.name }
      const edits = missing.map((name) => ({ kind: 'add-column', owner, column: { name } }) as const)
      return [
        {
          message: `the YAML of ${model.name} does not list ${list(missing)}`,
          place: entry.place,
          subject: subject(),
          ...(isListHere
            ? {
                fix: {
                  safety: 'safe' as const,
                  summary: 'add the columns',
                  edit: { kind: 'yaml' as const, path: entry.place.path, edits },
                },
              }
            : {
                help: 'its columns come from a YAML anchor, which other models may share; add them by hand',
              }),
        },
      ]
    }),
} satisfies Rule
