import type { YamlEdit } from '@stagecraft/dbt'
import type { Rule } from '../rule.ts'
import { checkRawTables, rawColumn } from './raw-columns.ts'
import { list, placeAt } from './subjects.ts'

/** Off by default: comments in a warehouse are not always meant for readers. */
export const commentNotDescribed = {
  id: 'SC114',
  name: 'comment-not-described',
  group: 'sources',
  severity: 'info',
  isDefault: false,
  needs: ['files', 'raw-tables'],
  summary: 'the warehouse has a comment, but the YAML of the source has no description',
  docs: {
    why: 'The table or column is documented in the warehouse, but readers of the docs do not see it.',
    example: {
      language: 'yaml',
      code: 'sources:\n  - name: shop\n    tables:\n      - name: orders\n        columns:\n          - name: status # the comment: Where the parcel is.',
    },
    remedy: 'Copy the comment into the description.',
  },
  fix: { safety: 'safe', summary: 'copies the comments of the table and of listed columns' },
  check: (project) =>
    checkRawTables(project, ({ entry, name, owner, subject, table }, raw) => {
      if (!entry) return []
      const own =
        isBare(entry.get('description')) && raw.comment
          ? [{ what: 'the table', comment: raw.comment, column: undefined }]
          : []
      const columns = entry.entries('columns').flatMap((column) => {
        const comment = rawColumn(raw, column.name)?.comment
        return comment && isBare(column.get('description'))
          ? [{ what: column.name, comment, column: column.name }]
          : []
      })
      const all = [...own, ...columns]
      if (all.length === 0) return []
      const edits = all.map(({ column, comment }): YamlEdit => ({
        kind: 'set-property',
        owner,
        ...(column !== undefined && { column }),
        key: 'description',
        value: comment,
      }))
      return [
        {
          message: `the warehouse describes ${list(all.map(({ what }) => what))} of ${name}, but YAML does not`,
          place: placeAt(project, table.path, table.line),
          subject: subject(),
          fix: {
            safety: 'safe' as const,
            summary: 'write the comments',
            edit: { kind: 'yaml' as const, path: table.path, edits },
          },
        },
      ]
    }),
} satisfies Rule

function isBare(description: unknown): boolean {
  return typeof description !== 'string' || description.trim() === ''
}
